import { rowExpiry } from '../../core/database/purge-in-batches.ts';

const keepMs = 30 * 24 * 3_600_000;

/** Removes mails of the built-in outbox after a month. */
export const outboxMailExpiry = rowExpiry({
  name: 'outboxMails',
  keepMs,
  statement: {
    name: 'purge_outbox_mails',
    text: `
      delete from outbox_mails where id in (
        select id from outbox_mails where created_at <= $1 order by created_at limit $2)
      returning 1`,
  },
});
