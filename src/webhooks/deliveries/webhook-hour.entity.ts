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
    /** Number of recorded POSTs, including retries. Each of `delivered` is one of them; the others failed. */
    attempts: p.integer(),
    lastDeliveredAt: p.datetime(3).strictNullable(),
    lastFailedAt: p.datetime(3).strictNullable(),
  },
});

/** The number of deliveries of a webhook that ended in an hour, by outcome. */
export class WebhookHour extends WebhookHourSchema.class {}
WebhookHourSchema.setClass(WebhookHour);
