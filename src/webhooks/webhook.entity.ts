import { defineEntity, p } from '@mikro-orm/postgresql';
import type { WebhookEventType } from './event-catalog.ts';

/** Why a webhook gets nothing: too many failures in a row, its endpoint answered 410, or its owner wants it so. */
export type DisabledReason = 'failures' | 'gone' | 'owner';

const WebhookSchema = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p.string().primary(),
    userId: p.string(),
    url: p.text(),
    events: p.array().$type<WebhookEventType[]>(),
    secret: p.text().hidden(),
    secretIsGenerated: p.boolean(),
    previousSecret: p.text().hidden().nullable(),
    previousSecretIsGenerated: p.boolean().nullable(),
    previousSecretExpiresAt: p.datetime().nullable(),
    olderSecret: p.text().hidden().nullable(),
    olderSecretIsGenerated: p.boolean().nullable(),
    olderSecretExpiresAt: p.datetime().nullable(),
    revision: p.integer().default(1),
    active: p.boolean(),
    disabledReason: p.string().$type<DisabledReason>().nullable(),
    disabledAt: p.datetime().nullable(),
    consecutiveFailures: p.integer().default(0),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** An endpoint that gets an account's events. Its secrets are encrypted: webhook-secrets.ts. */
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
