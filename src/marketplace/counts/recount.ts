import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { ratingScore } from '../listing-view.ts';

const batchSize = 200;

// Counting is a separate statement, so that it sees everything that was committed before the lock.
const lock = {
  name: 'listing_recount_lock',
  text: `
    select agent_id as "agentId" from listing_stats where recount_due and agent_id > $1 order by agent_id limit ${batchSize}
    for no key update`,
};
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
      select o.agent_id, w.*, (o.reviews, o.ratings, o.rating_sum) is distinct from (w.reviews, w.ratings, w.rating_sum) as drifted
      from listing_stats o left join counted c on c.agent_id = o.agent_id left join noted n on n.agent_id = o.agent_id
      cross join lateral (
        select coalesce(c.reviews, 0) - coalesce(n.reviews, 0) as reviews, coalesce(c.ratings, 0) - coalesce(n.ratings, 0) as ratings,
          coalesce(c.rating_sum, 0) - coalesce(n.rating_sum, 0) as rating_sum) w
      where o.agent_id = any ($1)
    ), corrected as (
      update listing_stats s set reviews = w.reviews, ratings = w.ratings, rating_sum = w.rating_sum, recount_due = false
      from wanted w where s.agent_id = w.agent_id
    ), scored as (
      update agents a set rating_score = ${ratingScore('w.ratings', 'w.rating_sum')} from wanted w
      where w.drifted and a.id = w.agent_id
    )
    select count(*) filter (where drifted) as drifted from wanted`,
};
const record = {
  name: 'listing_recount_record',
  text: `
    insert into listing_recounts (id, counters, drifted, finished_at) values (1, $1, $2, $3)
    on conflict (id) do update set counters = excluded.counters, drifted = excluded.drifted, finished_at = excluded.finished_at`,
};

/** Recounts the reviews of agents whose counts changed since the last recount, corrects them and records how many had drifted. */
export async function recountReviews(ctx: Ctx, run: TaskRun): Promise<{ counters: number; drifted: number }> {
  const found = { counters: 0, drifted: 0 };
  for (let after: string | null = ''; after !== null;) {
    run.signal.throwIfAborted();
    const ids: string[] = await inTransaction(ctx, async (tx) => {
      const locked = (await tx.sql<{ agentId: string }>(lock, [after])).map(({ agentId }) => agentId);
      const [row] = locked.length > 0 ? await tx.sql<{ drifted: number }>(recount, [locked]) : [];
      found.drifted += row?.drifted ?? 0;
      return locked;
    });
    found.counters += ids.length;
    after = ids.length < batchSize ? null : (ids.at(-1) ?? null);
    await run.heartbeat();
  }
  await ctx.sql(record, [found.counters, found.drifted, ctx.clock.now()]);
  if (found.drifted > 0) ctx.log.error(found, 'counts of reviews had drifted and were corrected');
  return found;
}
