import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../agents/agent.entity.ts';

const ListingViewSchema = defineEntity({
  name: 'ListingView',
  tableName: 'listing_views',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    /** Keyed hash of the viewer's network, which changes every day. */
    viewer: p.blob().$type<Buffer>().primary(),
    createdAt: p.datetime(3),
  },
});

/** A network that has seen a listing today, so that its views count once. */
export class ListingView extends ListingViewSchema.class {}
ListingViewSchema.setClass(ListingView);
