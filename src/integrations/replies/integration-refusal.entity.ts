import { defineEntity, p } from '@mikro-orm/postgresql';
import { Integration } from '../integration.entity.ts';

const IntegrationRefusalSchema = defineEntity({
  name: 'IntegrationRefusal',
  tableName: 'integration_refusals',
  properties: {
    integrationId: p.manyToOne(Integration).mapToPk().name('integration_id').deleteRule('cascade').primary(),
    channelId: p.text().primary(),
    /** Number of replies refused one after another. */
    refusals: p.integer(),
    /** Time before which messages of the channel are dropped. */
    retryAt: p.datetime(3),
    refusedAt: p.datetime(3),
  },
});

/** A channel in which the platform refuses the bot's replies. */
export class IntegrationRefusal extends IntegrationRefusalSchema.class {}
IntegrationRefusalSchema.setClass(IntegrationRefusal);
