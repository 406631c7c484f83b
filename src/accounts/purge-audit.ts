import type { Ctx } from '../core/ctx.ts';
import { ago, purgeInBatches } from '../core/database/purge-in-batches.ts';

const keepMs = 365 * 24 * 3_600_000;

// Ids begin with the time, so the oldest rows are the first of the primary key, without an index of their age.
const purge = {
  name: 'purge_audit_events',
  text: `
    delete from audit_events where id in (
      select id from (select id, created_at from audit_events order by id limit $2) oldest where created_at <= $1)
    returning 1`,
};

/** Deletes entries of the audit log that are more than a year old. Returns the number of rows. */
export const purgeAuditEvents = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purge, ago(ctx, keepMs), signal);
