import type { GaugeGroup } from '../../core/feature.ts';
import { countLeftCheckpoints } from './checkpoints.ts';
import { countInstances } from '../instances/instances.ts';

export const generationGauges: GaugeGroup = {
  gauges: {
    instances_alive: { help: 'Instances with a heartbeat in the last ten seconds.' },
    generation_checkpoints_left: {
      help: 'Finished replies whose checkpoints are still stored; a value above zero indicates a bug.',
    },
  },
  read: async ({ sql }) => [
    { name: 'instances_alive', value: await countInstances(sql) },
    { name: 'generation_checkpoints_left', value: await countLeftCheckpoints(sql) },
  ],
};
