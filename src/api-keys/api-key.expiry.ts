import { rowExpiry } from '../core/database/purge-in-batches.ts';

const keepMs = 90 * 24 * 3_600_000;

/** Removes keys 90 days after they were revoked or expired. */
export const apiKeyExpiry = rowExpiry({
  name: 'apiKeys',
  keepMs,
  statement: {
    name: 'purge_api_keys',
    text: `
      delete from api_keys where id in (
        select id from api_keys
        where (revoked_at is not null or expires_at is not null) and least(revoked_at, expires_at) <= $1
        order by least(revoked_at, expires_at) limit $2)
      returning 1`,
  },
});
