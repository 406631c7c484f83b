import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../agents/agent.entity.ts';

const ListingSlugSchema = defineEntity({
  name: 'ListingSlug',
  tableName: 'listing_slugs',
  properties: {
    slug: p.text().primary(),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade'),
    expiresAt: p.datetime(3),
  },
});

/** A former slug of an agent. It redirects to the agent until it expires. */
export class ListingSlug extends ListingSlugSchema.class {}
ListingSlugSchema.setClass(ListingSlug);
