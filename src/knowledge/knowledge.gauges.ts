import type { GaugeGroup } from '../core/feature.ts';
import { countRemovedOrphans } from './remove-orphans.ts';

export const knowledgeGauges: GaugeGroup = {
  gauges: {
    knowledge_strays_removed: {
      help: 'Total number of orphaned files, vectors and chunks removed by the check; investigate values above zero.',
      labels: ['kind'],
    },
  },
  read: async (ctx) => {
    const removed = await countRemovedOrphans(ctx);
    return removed.map(({ kind, removed: count }) => ({
      name: 'knowledge_strays_removed',
      labels: { kind },
      value: count,
    }));
  },
};
