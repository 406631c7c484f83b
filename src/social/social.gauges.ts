import type { GaugeGroup } from '../core/feature.ts';

const readLast = {
  name: 'social_recount_last',
  text: `select drifted, finished_at as "finishedAt" from social_recounts`,
};

export const socialGauges: GaugeGroup = {
  gauges: {
    social_recount_drifted: {
      help: 'Follower and like counters that the last recount corrected.',
    },
    social_recount_timestamp_seconds: { help: 'Time when the last recount ended; 0 before the first.' },
  },
  read: async (ctx) => {
    const [last] = await ctx.sql<{ drifted: number; finishedAt: Date }>(readLast);
    return [
      { name: 'social_recount_drifted', value: last?.drifted ?? 0 },
      { name: 'social_recount_timestamp_seconds', value: (last?.finishedAt.getTime() ?? 0) / 1_000 },
    ];
  },
};
