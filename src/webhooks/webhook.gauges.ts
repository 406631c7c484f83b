import type { GaugeGroup } from '../core/feature.ts';
import { measureDueDeliveries } from './dispatch/due-deliveries.ts';

export const webhookGauges: GaugeGroup = {
  gauges: {
    webhook_deliveries_due: { help: 'Deliveries that could be sent now. Capped at 1,000.' },
    webhook_deliveries_oldest_due_age_seconds: { help: 'Time since the oldest due delivery became due.' },
  },
  read: async (ctx) => {
    const due = await measureDueDeliveries(ctx);
    return [
      { name: 'webhook_deliveries_due', value: due.count },
      { name: 'webhook_deliveries_oldest_due_age_seconds', value: due.oldestSeconds },
    ];
  },
};
