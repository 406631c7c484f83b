import { rowExpiry } from '../../core/database/purge-in-batches.ts';

/** Removes mailed tokens when they expire. */
export const tokenExpiry = rowExpiry({
  name: 'tokens',
  keepMs: 0,
  statement: {
    name: 'purge_account_tokens',
    text: `
      delete from account_tokens where hash in (
        select hash from account_tokens where expires_at <= $1 order by expires_at limit $2)
      returning 1`,
  },
});
