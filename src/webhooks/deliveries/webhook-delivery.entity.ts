import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventType } from '../../core/outbox.ts';
import type { DeliveryAttempt, DeliveryStatus } from './delivery.ts';
import { Webhook } from '../webhook.entity.ts';

const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    id: p.text().primary(),
    webhookId: p.manyToOne(Webhook).mapToPk().name('webhook_id').deleteRule('cascade'),
    eventId: p.text(),
    eventType: p.text().$type<EventType>(),
    status: p.text().$type<DeliveryStatus>(),
    dueAt: p.datetime(3),
    /** Token of the current lease. Not indexed, so that claiming and releasing a row updates no index. */
    leaseToken: p.text().strictNullable(),
    leaseExpiresAt: p.datetime(3).strictNullable(),
    /**
     * Number of attempts. Incremented when an attempt is claimed, so that an attempt also counts if the process
     * crashes.
     */
    attemptCount: p.integer().default(0),
    /**
     * Number of attempts before the last redelivery on request. The limit of attempts applies to each round separately.
     */
    earlierAttemptCount: p.integer().default(0),
    attemptedAt: p.datetime(3).strictNullable(),
    attempts: p.json<DeliveryAttempt[]>().defaultRaw(`'[]'::jsonb`),
    /** Creation time, which determines the partition. */
    createdAt: p.datetime(3).primary(),
    finishedAt: p.datetime(3).strictNullable(),
  },
});

/** The delivery of one event to one webhook. */
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
