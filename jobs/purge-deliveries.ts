import { purgeDeliveries } from '../src/webhooks/purge-deliveries.ts';
import type { Job } from './job.ts';

/** Every hour, deliveries and events that are older than their retention go. */
export const purgeWebhookDeliveries: Job = {
  kind: 'webhook.purge-deliveries',
  everyMs: 3_600_000,
  concurrency: 1,
  handle: async (ctx, _payload, { signal }) => {
    const rows = await purgeDeliveries(ctx, signal);
    ctx.log.info({ rows }, 'purged old deliveries and events');
  },
};
