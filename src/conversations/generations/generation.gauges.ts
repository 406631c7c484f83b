import type { GaugeGroup } from '../../core/feature.ts';
import { countLeftCheckpoints } from './checkpoints.ts';
import { countInstances } from './instances.ts';

export const generationGauges: GaugeGroup = {
  gauges: {
    instances_alive: { help: 'Instances with a heartbeat in the last ten seconds.' },
    generation_checkpoints_left: { help: 'Ended replies whose checkpoints are still stored; above zero is a fault.' },
  },
  read: async ({ sql }) => [
    { name: 'instances_alive', value: await countInstances(sql) },
    { name: 'generation_checkpoints_left', value: await countLeftCheckpoints(sql) },
  ],
};
