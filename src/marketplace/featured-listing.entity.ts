import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../agents/agent.entity.ts';

const FeaturedListingSchema = defineEntity({
  name: 'FeaturedListing',
  tableName: 'featured_listings',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    createdAt: p.datetime(3),
  },
});

/** An agent that moderators feature at the top of the marketplace. */
export class FeaturedListing extends FeaturedListingSchema.class {}
FeaturedListingSchema.setClass(FeaturedListing);
