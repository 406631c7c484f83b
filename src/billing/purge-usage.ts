import type { Ctx } from '../core/ctx.ts';
import { ago, purgeInBatches } from '../core/database/purge-in-batches.ts';

const keepMs = 90 * 24 * 3_600_000;

const purge = {
  name: 'purge_usage_counters',
  text: `
    delete from usage_counters where (user_id, day) in (
      select user_id, day from usage_counters where day < ($1::timestamptz at time zone 'utc')::date
      order by day limit $2)
    returning 1`,
};

/** Deletes daily counters that are more than 90 days old. Returns the number of rows. */
export const purgeUsageCounters = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purge, ago(ctx, keepMs), signal);
