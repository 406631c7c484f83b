import type { Feature } from '../core/feature.ts';
import {
  createEventPartitions,
  purgeDeliveries,
  purgeEvents,
  webhookHourExpiry,
} from './deliveries/purge-deliveries.ts';
import { createWebhookDispatcher } from './dispatch/webhook-dispatcher.ts';
import { webhookRestore } from './webhook.restore.ts';
import { webhookExport } from './webhook.export.ts';
import { encryptedSecrets } from './webhook-secrets.ts';
import { Webhook } from './webhook.entity.ts';
import { WebhookDelivery } from './deliveries/webhook-delivery.entity.ts';
import { webhookSettings } from './webhooks.settings.ts';
import { webhookGauges } from './webhook.gauges.ts';
import { WebhookHour } from './deliveries/webhook-hour.entity.ts';
import { removeWebhook } from './remove-webhook.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    wh_: 'webhook';
    dlv_: 'delivery';
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'webhooks:read': true;
    'webhooks:write': true;
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'webhook.create-partitions': object;
    'webhook.purge-deliveries': object;
    'webhook.purge-events': object;
    'webhook.remove': { webhookId: string };
  }
}

const hourMs = 3_600_000;

export const webhooks: Feature = {
  name: 'webhooks',
  settings: webhookSettings,
  entities: [Webhook, WebhookDelivery, WebhookHour],
  idPrefixes: { webhook: 'wh_', delivery: 'dlv_' },
  scopes: ['webhooks:read', 'webhooks:write'],
  jobs: [
    {
      kind: 'webhook.create-partitions',
      everyMs: hourMs,
      atStart: true,
      concurrency: 1,
      handle: async (ctx) => void (await createEventPartitions(ctx)),
    },
    // Separate jobs, so that a failure of one does not block the other.
    {
      kind: 'webhook.purge-deliveries',
      everyMs: hourMs,
      concurrency: 1,
      handle: async (ctx, _payload, { signal }) => {
        const count = await purgeDeliveries(ctx, signal);
        ctx.log.info({ count }, 'purged old deliveries');
      },
    },
    {
      kind: 'webhook.purge-events',
      everyMs: hourMs,
      concurrency: 1,
      handle: async (ctx, _payload, { signal }) => {
        const count = await purgeEvents(ctx, signal);
        ctx.log.info({ count }, 'purged old events');
      },
    },
    { kind: 'webhook.remove', concurrency: 2, handle: (ctx, { webhookId }, run) => removeWebhook(ctx, webhookId, run) },
  ],
  expiries: [webhookHourExpiry],
  engines: [(newCtx) => createWebhookDispatcher({ newCtx })],
  encryptedColumns: encryptedSecrets,
  exportSections: [webhookExport],
  restore: webhookRestore,
  gauges: [webhookGauges],
};
