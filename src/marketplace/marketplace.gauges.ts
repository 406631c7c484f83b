import type { GaugeGroup } from '../core/feature.ts';

const readLast = {
  name: 'listing_recount_last',
  text: `select drifted, finished_at as "finishedAt" from listing_recounts`,
};

export const marketplaceGauges: GaugeGroup = {
  gauges: {
    marketplace_recount_drifted: { help: 'Listings whose counts of reviews the last recount corrected.' },
    marketplace_recount_timestamp_seconds: { help: 'Time when the last recount ended; 0 before the first.' },
  },
  read: async (ctx) => {
    const [last] = await ctx.sql<{ drifted: number; finishedAt: Date }>(readLast);
    return [
      { name: 'marketplace_recount_drifted', value: last?.drifted ?? 0 },
      { name: 'marketplace_recount_timestamp_seconds', value: (last?.finishedAt.getTime() ?? 0) / 1_000 },
    ];
  },
};
