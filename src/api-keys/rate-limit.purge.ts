import type { PurgeStep } from '../accounts/purge.ports.ts';

const deleteCounters = {
  name: 'purge_rate_limits',
  text: `
    delete from rate_limits where split_part(key, ':', 2) in (
      select $1 union select id from sessions where user_id = $1 union select id from api_keys where user_id = $1)
    returning 1`,
};

/** The counters of an account's credentials. */
export const purgeRateLimits: PurgeStep = {
  name: 'rate limits',
  purge: async (ctx, userId) => ({ rate_limits: (await ctx.sql(deleteCounters, [userId])).length }),
};
