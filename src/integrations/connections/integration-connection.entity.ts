import { defineEntity, p } from '@mikro-orm/postgresql';
import { Integration } from '../integration.entity.ts';

const IntegrationConnectionSchema = defineEntity({
  name: 'IntegrationConnection',
  tableName: 'integration_connections',
  properties: {
    integrationId: p.manyToOne(Integration).mapToPk().name('integration_id').deleteRule('cascade').primary(),
    /** Instance that holds the connection until `leaseExpiresAt`. */
    holder: p.text().strictNullable(),
    leaseExpiresAt: p.datetime(3).strictNullable(),
    /** Increases each time the integration is enabled or disabled. A connection of an older revision is stale. */
    revision: p.integer().default(0),
    /** Whether `integration.connected` was published since the last activation. */
    announced: p.boolean().default(false),
    botUserId: p.text().strictNullable(),
    /** State from which the platform can resume the connection, up to the last claimed event. */
    session: p.json<object>().strictNullable(),
    authFailures: p.integer().default(0),
    /** Time until which the platform has asked the bot to wait. */
    pausedUntil: p.datetime(3).strictNullable(),
  },
});

/** The connection of an integration and its lease. Separate from the integration, because heartbeats write it. */
export class IntegrationConnection extends IntegrationConnectionSchema.class {}
IntegrationConnectionSchema.setClass(IntegrationConnection);
