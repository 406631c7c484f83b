import type { Ctx } from '../../core/ctx.ts';
import { ago, purgeInBatches } from '../../core/database/purge-in-batches.ts';

const keepMs = 30 * 24 * 3_600_000;

const purge = {
  name: 'purge_outbox_mails',
  text: `
    delete from outbox_mails where id in (
      select id from outbox_mails where created_at <= $1 order by created_at limit $2)
    returning 1`,
};

/** Deletes mails of the built-in outbox that are more than a month old. Returns the number of rows. */
export const purgeOutboxMails = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purge, ago(ctx, keepMs), signal);
