import { rowExpiry } from '../database/purge-in-batches.ts';

/** Removes stored responses when their idempotency keys expire. */
export const idempotencyKeyExpiry = rowExpiry({
  name: 'idempotencyKeys',
  statement: {
    name: 'purge_idempotency_keys',
    text: `
      delete from idempotency_keys where (user_id, key, method, path) in (
        select user_id, key, method, path from idempotency_keys where expires_at <= now() order by expires_at limit $1)
      returning 1`,
  },
});

/** Removes rate limit counters when their windows end. */
export const rateLimitExpiry = rowExpiry({
  name: 'rateLimits',
  statement: {
    name: 'purge_rate_limit_counters',
    text: `
      delete from rate_limits where key in (
        select key from rate_limits where expire <= (extract(epoch from now()) * 1000)::bigint limit $1)
      returning 1`,
  },
});
