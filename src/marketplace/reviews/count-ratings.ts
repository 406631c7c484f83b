import type { Ctx } from '../../core/ctx.ts';
import { ago } from '../../core/database/purge-in-batches.ts';
import { youngMs } from './write-review.ts';

const batchSize = 1_000;

// A review is never older than its account, so the account of a review that is a day old is old enough.
const count = {
  name: 'reviews_count_waiting',
  text: `
    with due as (
      select r.id from reviews r join users u on u.id = r.user_id
      where not r.is_counted and r.moderation_state = 'ok' and u.created_at <= $1
      order by r.created_at limit ${batchSize} for update of r skip locked
    ), counted as (
      update reviews r set is_counted = true from due where r.id = due.id returning r.agent_id, r.rating
    )
    insert into listing_notes (agent_id, ratings, rating_sum, created_at)
    select agent_id, 1, rating, $2 from counted returning id`,
};

/** Adds the ratings of accounts that have become a day old. Returns their number. */
export async function countWaitingRatings(ctx: Ctx, signal: AbortSignal): Promise<number> {
  for (let counted = 0; ;) {
    signal.throwIfAborted();
    const batch = await ctx.sql(count, [ago(ctx, youngMs), ctx.clock.now()]);
    counted += batch.length;
    if (batch.length < batchSize) return counted;
  }
}
