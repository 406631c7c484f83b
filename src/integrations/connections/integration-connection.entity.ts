import { defineEntity, p } from '@mikro-orm/postgresql';
import { Integration } from '../integration.entity.ts';

const IntegrationConnectionSchema = defineEntity({
  name: 'IntegrationConnection',
  tableName: 'integration_connections',
  properties: {
    integrationId: p.manyToOne(Integration).mapToPk().name('integration_id').deleteRule('cascade').primary(),
    /** The instance that holds the connection until `leaseExpiresAt`. */
    holder: p.text().strictNullable(),
    leaseExpiresAt: p.datetime(3).strictNullable(),
    /** Grows each time the integration is switched on or off; a connection of an older revision is stale. */
    revision: p.integer().default(0),
    /** Whether `integration.connected` was published since it was last activated. */
    announced: p.boolean().default(false),
    botUserId: p.text().strictNullable(),
    /** Where the platform can resume a connection: up to the last claimed event. */
    session: p.json<object>().strictNullable(),
    authFailures: p.integer().default(0),
    /** The platform asked the bot to wait. */
    pausedUntil: p.datetime(3).strictNullable(),
  },
});

/** The connection of an integration and its lease; apart from the integration because heartbeats write it. */
export class IntegrationConnection extends IntegrationConnectionSchema.class {}
IntegrationConnectionSchema.setClass(IntegrationConnection);
