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
    /** In no index, so that claiming and releasing a row updates none. */
    leaseToken: p.text().strictNullable(),
    leaseExpiresAt: p.datetime(3).strictNullable(),
    /** Counted when an attempt is claimed, so that a process that dies with it has used it up. */
    attemptCount: p.integer().default(0),
    /** Attempts before it was sent again on request; a round has a limit, the row has none. */
    earlierAttemptCount: p.integer().default(0),
    attemptedAt: p.datetime(3).strictNullable(),
    attempts: p.json<DeliveryAttempt[]>().defaultRaw(`'[]'::jsonb`),
    /** Decides the partition. */
    createdAt: p.datetime(3).primary(),
    finishedAt: p.datetime(3).strictNullable(),
  },
});

/** One event on its way to one webhook. */
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
