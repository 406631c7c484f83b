import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { addInterest } from '../../studio/analytics/interest/interest.ts';
import { ratingScore } from '../listing-view.ts';

/** Changes of the counts of a listing. */
export interface CountChange {
  reviews?: number;
  ratings?: number;
  ratingSum?: number;
}

const insert = {
  name: 'listing_note_insert',
  text: `
    insert into listing_notes (agent_id, reviews, ratings, rating_sum, created_at) values ($1, $2, $3, $4, $5)`,
};

/** Records a change of an agent's counts. Call it in the transaction that causes the change. */
export async function noteListingChange(tx: Ctx, agentId: string, change: CountChange): Promise<void> {
  const { reviews = 0, ratings = 0, ratingSum = 0 } = change;
  if (reviews === 0 && ratings === 0 && ratingSum === 0) return;
  await tx.sql(insert, [agentId, reviews, ratings, ratingSum, tx.clock.now()]);
}

const batchSize = 5_000;

const take = {
  name: 'listing_notes_take',
  text: `
    with taken as (
      delete from listing_notes where id in (select id from listing_notes order by id limit ${batchSize} for update skip locked)
      returning agent_id, views, reviews, ratings, rating_sum, created_at
    ), daily as (
      ${addInterest('select agent_id, created_at as at, views as listing_views, 0 as likes from taken where views > 0')}
    ), summed as (
      select agent_id, sum(views) as views, sum(reviews) as reviews, sum(ratings) as ratings, sum(rating_sum) as rating_sum,
        count(*) as notes, bool_or(reviews <> 0 or ratings <> 0 or rating_sum <> 0) as recount_due
      from taken group by agent_id
    ), added as (
      insert into listing_stats as s (agent_id, views, reviews, ratings, rating_sum, recount_due)
      select v.agent_id, v.views, v.reviews, v.ratings, v.rating_sum, v.recount_due from summed v join agents a on a.id = v.agent_id order by 1
      on conflict (agent_id) do update set views = s.views + excluded.views, reviews = s.reviews + excluded.reviews,
        ratings = s.ratings + excluded.ratings, rating_sum = s.rating_sum + excluded.rating_sum,
        recount_due = s.recount_due or excluded.recount_due
      returning agent_id, ratings, rating_sum
    ), scored as (
      update agents a set rating_score = ${ratingScore('n.ratings', 'n.rating_sum')} from added n
      where a.id = n.agent_id and a.rating_score <> ${ratingScore('n.ratings', 'n.rating_sum')}
    )
    select coalesce(sum(notes), 0) as notes from summed`,
};

/** Aggregates notes into the counts of listings, each exactly once. Returns the number of notes. */
export async function aggregateListingNotes(ctx: Ctx, signal: AbortSignal): Promise<number> {
  for (let aggregated = 0; ;) {
    signal.throwIfAborted();
    const [batch] = await inTransaction(ctx, (tx) => tx.sql<{ notes: string }>(take));
    const notes = Number(batch?.notes ?? 0);
    aggregated += notes;
    if (notes < batchSize) return aggregated;
  }
}
