import type { PurgeStep } from '../core/feature.ts';

const deleteActivity = {
  name: 'purge_agent_activity',
  text: `
    delete from agent_activity where id in (select id from agent_activity where user_id = $1 limit $2) returning 1`,
};
const batchSize = 1_000;

/**
 * Removes an account's activity with other users' agents that is not aggregated yet. It has no foreign key to the
 * account.
 */
export const purgeAgentActivity: PurgeStep = {
  name: 'agent activity',
  purge: async (ctx, userId, signal) => {
    for (let total = 0; ;) {
      signal.throwIfAborted();
      const { length } = await ctx.sql(deleteActivity, [userId, batchSize]);
      total += length;
      if (length < batchSize) return { agent_activity: total };
    }
  },
};
