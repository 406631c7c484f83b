import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventType } from '../core/outbox.ts';
import { User } from '../accounts/user.entity.ts';

/** The reason why a webhook is disabled: too many consecutive failures, a 410 response, or its owner disabled it. */
export type DisabledReason = 'failures' | 'gone' | 'owner';

const WebhookSchema = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    url: p.text(),
    /** Description by the owner. */
    description: p.text().strictNullable(),
    events: p.array().$type<EventType[]>(),
    secret: p.text().hidden(),
    previousSecret: p.text().strictNullable().hidden(),
    previousSecretExpiresAt: p.datetime(3).strictNullable(),
    /** Incremented when the URL or a secret changes, which invalidates cached endpoints. */
    revision: p.integer().default(1),
    active: p.boolean().default(true),
    disabledReason: p.text().$type<DisabledReason>().strictNullable(),
    disabledAt: p.datetime(3).strictNullable(),
    consecutiveFailures: p.integer().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    olderSecret: p.text().strictNullable().hidden(),
    olderSecretExpiresAt: p.datetime(3).strictNullable(),
    /** Time of deletion. The webhook is hidden from then on; a task removes its deliveries and then the row. */
    deletedAt: p.datetime(3).strictNullable(),
  },
});

/** An endpoint that receives an account's events. Its secrets are encrypted (webhook-secrets.ts). */
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
