import { rowExpiry } from '../core/database/purge-in-batches.ts';

const keepMs = 365 * 24 * 3_600_000;

/**
 * Entries of the audit log are kept for a year.
 * Ids begin with the time, so the oldest rows are the first of the primary key, without an index of their age.
 */
export const auditExpiry = rowExpiry({
  name: 'auditEvents',
  keepMs,
  statement: {
    name: 'purge_audit_events',
    text: `
      delete from audit_events where id in (
        select id from (select id, created_at from audit_events order by id limit $2) oldest where created_at <= $1)
      returning 1`,
  },
});
