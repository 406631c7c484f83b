import { defineEntity, p } from '@mikro-orm/postgresql';
import { Webhook } from '../webhook.entity.ts';

const WebhookHourSchema = defineEntity({
  name: 'WebhookHour',
  tableName: 'webhook_hours',
  properties: {
    webhookId: p.manyToOne(Webhook).mapToPk().primary().name('webhook_id').deleteRule('cascade'),
    hour: p.datetime(3).primary(),
    delivered: p.integer(),
    failed: p.integer(),
    skipped: p.integer(),
    /** Recorded POSTs, retries included. */
    attempts: p.integer(),
    lastDeliveredAt: p.datetime(3).strictNullable(),
    lastFailedAt: p.datetime(3).strictNullable(),
  },
});

/** How many deliveries of a webhook ended in an hour, and how. */
export class WebhookHour extends WebhookHourSchema.class {}
WebhookHourSchema.setClass(WebhookHour);
