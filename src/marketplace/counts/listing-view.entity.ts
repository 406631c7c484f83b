import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../agents/agent.entity.ts';

const ListingViewSchema = defineEntity({
  name: 'ListingView',
  tableName: 'listing_views',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    /** A keyed hash of the network that changes every day. */
    viewer: p.blob().$type<Buffer>().primary(),
    createdAt: p.datetime(3),
  },
});

/** Who has seen a listing today, so that a network counts once. */
export class ListingView extends ListingViewSchema.class {}
ListingViewSchema.setClass(ListingView);
