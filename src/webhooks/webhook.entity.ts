import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventType } from '../core/outbox.ts';
import { User } from '../accounts/user.entity.ts';

/** Why a webhook receives nothing: too many failures in a row, a 410 response, or its owner disabled it. */
export type DisabledReason = 'failures' | 'gone' | 'owner';

const WebhookSchema = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    url: p.text(),
    /** The owner's description. */
    description: p.text().strictNullable(),
    events: p.array().$type<EventType[]>(),
    secret: p.text().hidden(),
    previousSecret: p.text().strictNullable().hidden(),
    previousSecretExpiresAt: p.datetime(3).strictNullable(),
    /** Grows when the URL or a secret changes; what a process caches about an endpoint holds for one revision. */
    revision: p.integer().default(1),
    active: p.boolean().default(true),
    disabledReason: p.text().$type<DisabledReason>().strictNullable(),
    disabledAt: p.datetime(3).strictNullable(),
    consecutiveFailures: p.integer().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    olderSecret: p.text().strictNullable().hidden(),
    olderSecretExpiresAt: p.datetime(3).strictNullable(),
    /** Hides it from every operation; a task removes its deliveries and then the row. */
    deletedAt: p.datetime(3).strictNullable(),
  },
});

/** An endpoint that receives an account's events. Its secrets are encrypted: webhook-secrets.ts. */
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
