import type { GaugeGroup } from '../core/feature.ts';
import { countRemovedOrphans } from './remove-orphans.ts';

export const knowledgeGauges: GaugeGroup = {
  gauges: {
    knowledge_strays_removed: {
      help: 'Orphaned files, vectors and chunks that the check has ever removed; above zero is worth a look.',
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
