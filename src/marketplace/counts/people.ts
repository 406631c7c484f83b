import type { Ctx } from '../../core/ctx.ts';

const windowDays = 28;
const batchSize = 500;

// The owner of an agent does not count.
const count = {
  name: 'listing_people_count',
  text: `
    with batch as materialized (
      select id, owner_id from agents where is_public and id > $1 order by id limit ${batchSize}
    ), counted as (
      select b.id, count(distinct d.subject) filter (where d.user_id <> b.owner_id) as people
      from batch b join agent_day_users d on d.agent_id = b.id and d.day > $2::date - ${windowDays} and d.day <= $2::date
      group by b.id
    ), stored as (
      insert into listing_stats as s (agent_id, people, recount_due) select id, people, false from counted order by id
      on conflict (agent_id) do update set people = excluded.people where s.people is distinct from excluded.people
    ), gone as (
      update listing_stats s set people = 0 from batch b
      where s.agent_id = b.id and s.people > 0 and not exists (select from counted c where c.id = b.id)
    )
    select max(id) as last, count(*) as agents from batch`,
};

/** Counts the people who used each public agent in the last 28 days. */
export async function countListingPeople(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const today = ctx.clock.now().toISOString().slice(0, 10);
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const [batch] = await ctx.sql<{ last: string | null; agents: number }>(count, [after, today]);
    if (!batch?.last || batch.agents < batchSize) return;
    after = batch.last;
  }
}
