import { rowExpiry } from '../../core/database/purge-in-batches.ts';

const keepMs = 7 * 24 * 3_600_000;

/** Removes ended messages after a week, because no platform redelivers a message after that. */
export const platformMessageExpiry = rowExpiry({
  name: 'platformMessages',
  keepMs,
  statement: {
    name: 'purge_platform_messages',
    text: `
      delete from platform_messages where seq in (
        select seq from platform_messages
        where created_at <= $1 and state not in ('received', 'replying') order by created_at limit $2)
      returning 1`,
  },
});
