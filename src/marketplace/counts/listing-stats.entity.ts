import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../agents/agent.entity.ts';

const ListingStatsSchema = defineEntity({
  name: 'ListingStats',
  tableName: 'listing_stats',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    /** Of the last 28 days; null until it was counted. */
    people: p.integer().strictNullable(),
    views: p.bigint('number').default(0),
    reviews: p.integer().default(0),
    /** Only from accounts that are old enough. */
    ratings: p.integer().default(0),
    ratingSum: p.integer().default(0),
  },
});

/** Counts of a listing that jobs keep; they lack what is still in `listing_notes`. */
export class ListingStats extends ListingStatsSchema.class {}
ListingStatsSchema.setClass(ListingStats);
