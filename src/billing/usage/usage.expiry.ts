import { rowExpiry } from '../../core/database/purge-in-batches.ts';

const keepMs = 90 * 24 * 3_600_000;

/** Removes daily counters after 90 days. */
export const usageExpiry = rowExpiry({
  name: 'usageCounters',
  keepMs,
  statement: {
    name: 'purge_usage_counters',
    text: `
      delete from usage_counters where (user_id, day) in (
        select user_id, day from usage_counters where day < ($1::timestamptz at time zone 'utc')::date
        order by day limit $2)
      returning 1`,
  },
});
