import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../agents/agent.entity.ts';

const ListingStatsSchema = defineEntity({
  name: 'ListingStats',
  tableName: 'listing_stats',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    /** Number of people in the last 28 days; null until first counted. */
    people: p.integer().strictNullable(),
    views: p.bigint('number').default(0),
    reviews: p.integer().default(0),
    /** Number of ratings. Ratings of accounts younger than a day are added later. */
    ratings: p.integer().default(0),
    ratingSum: p.integer().default(0),
    /** Whether counts of reviews changed since the last recount. */
    recountDue: p.boolean().default(true),
  },
});

/** Aggregated counts of a listing. Changes still in `listing_notes` are not included. */
export class ListingStats extends ListingStatsSchema.class {}
ListingStatsSchema.setClass(ListingStats);
