import type { Ctx } from '../../core/ctx.ts';
import { ago } from '../../core/database/purge-in-batches.ts';
import { ratingScore } from '../listing-view.ts';

const batchSize = 200;
/** Longer than a day, so that a late run misses no review. */
const windowMs = 26 * 3_600_000;

const changed = {
  name: 'listing_recount_changed',
  text: `
    select distinct agent_id as "agentId" from reviews where updated_at > $1 and agent_id > $2 order by 1 limit ${batchSize}`,
};
// One statement reads reviews, notes and counts from the same snapshot. Counts that were changed since then are left to
// the next run.
const recount = {
  name: 'listing_recount',
  text: `
    with counted as (
      select r.agent_id, count(*) as reviews, count(*) filter (where r.is_counted) as ratings,
        coalesce(sum(r.rating) filter (where r.is_counted), 0) as rating_sum
      from reviews r where r.agent_id = any ($1) and r.moderation_state = 'ok' group by 1
    ), noted as (
      select agent_id, sum(reviews) as reviews, sum(ratings) as ratings, sum(rating_sum) as rating_sum
      from listing_notes where agent_id = any ($1) group by 1
    ), wanted as (
      select a.id, coalesce(c.reviews, 0) - coalesce(n.reviews, 0) as reviews, coalesce(c.ratings, 0) - coalesce(n.ratings, 0) as ratings,
        coalesce(c.rating_sum, 0) - coalesce(n.rating_sum, 0) as rating_sum, o.reviews as seen_reviews, o.ratings as seen_ratings,
        o.rating_sum as seen_sum
      from agents a join listing_stats o on o.agent_id = a.id left join counted c on c.agent_id = a.id
      left join noted n on n.agent_id = a.id where a.id = any ($1)
    ), corrected as (
      update listing_stats s set reviews = w.reviews, ratings = w.ratings, rating_sum = w.rating_sum from wanted w
      where s.agent_id = w.id and (s.reviews, s.ratings, s.rating_sum) = (w.seen_reviews, w.seen_ratings, w.seen_sum)
        and (s.reviews, s.ratings, s.rating_sum) is distinct from (w.reviews, w.ratings, w.rating_sum)
      returning s.agent_id, s.ratings, s.rating_sum
    ), scored as (
      update agents a set rating_score = ${ratingScore('c.ratings', 'c.rating_sum')} from corrected c where a.id = c.agent_id
    )
    select count(*) as corrected from corrected`,
};

/**
 * Recounts the reviews of agents that were reviewed since yesterday and corrects their counts. Logs and returns the
 * number of wrong counts.
 */
export async function recountReviews(ctx: Ctx, signal: AbortSignal): Promise<number> {
  let drift = 0;
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const ids = (await ctx.sql<{ agentId: string }>(changed, [ago(ctx, windowMs), after])).map(
      ({ agentId }) => agentId,
    );
    if (ids.length > 0) {
      const [row] = await ctx.sql<{ corrected: number }>(recount, [ids]);
      drift += row?.corrected ?? 0;
    }
    if (ids.length < batchSize) break;
    after = ids.at(-1) ?? '';
  }
  if (drift > 0) ctx.log.error({ drift }, 'counts of reviews were wrong and were corrected');
  return drift;
}
