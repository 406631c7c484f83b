import type { AgentRemovalStep } from '../agents/agent.ports.ts';
import { rowExpiry } from '../core/database/purge-in-batches.ts';
import { removalOf, removeInBatches } from '../core/database/remove-in-batches.ts';
import type { PurgeStep } from '../core/feature.ts';

const batchSize = 500;

const deleteReviews = {
  name: 'purge_reviews',
  text: `
    with gone as (
      delete from reviews where id in (select id from reviews where user_id = $1 limit ${batchSize})
      returning agent_id, rating, is_counted, moderation_state
    )
    insert into listing_notes (agent_id, reviews, ratings, rating_sum, created_at)
    select agent_id, case when ok then -1 else 0 end, case when ok and is_counted then -1 else 0 end,
      case when ok and is_counted then -rating else 0 end, $2
    from gone cross join lateral (select moderation_state = 'ok' as ok) s returning id`,
};

/** Removes an account's reviews and subtracts their ratings from the counts. */
export const purgeReviews: PurgeStep = {
  name: 'reviews',
  async purge(ctx, userId, signal) {
    for (let reviews = 0; ;) {
      signal.throwIfAborted();
      const gone = await ctx.sql(deleteReviews, [userId, ctx.clock.now()]);
      reviews += gone.length;
      if (gone.length < batchSize) return { reviews };
    }
  },
};

const removals = ['reviews', 'listing_views', 'listing_slugs'].map((table) =>
  removalOf({ name: `agent_remove_${table}`, table, column: 'agent_id', batchSize }),
);

/** Removes the marketplace data of a deleted agent. Foreign keys remove its listing and counts. */
export const removeAgentListing: AgentRemovalStep = (ctx, agentId, run) => removeInBatches(ctx, removals, agentId, run);

/** Releases old slugs after 180 days. */
export const oldSlugExpiry = rowExpiry({
  name: 'listingSlugs',
  keepMs: 0,
  statement: {
    name: 'purge_listing_slugs',
    text: `
      delete from listing_slugs where slug in (select slug from listing_slugs where expires_at <= $1 order by expires_at limit $2)
      returning 1`,
  },
});
