import type { Ctx } from '../core/ctx.ts';
import { ago, purgeInBatches } from '../core/database/purge-in-batches.ts';

const keepMs = 90 * 24 * 3_600_000;

const purge = {
  name: 'purge_api_keys',
  text: `
    delete from api_keys where id in (
      select id from api_keys
      where (revoked_at is not null or expires_at is not null) and least(revoked_at, expires_at) <= $1
      order by least(revoked_at, expires_at) limit $2)
    returning 1`,
};

/** Deletes keys that were revoked or expired more than 90 days ago. Returns the number of rows. */
export const purgeApiKeys = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purge, ago(ctx, keepMs), signal);
