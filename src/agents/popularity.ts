import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';

const batchSize = 5_000;
/**
 * Time window and half-life of the trending score: older messages do not count, and newer ones lose half their weight
 * with each half-life.
 */
const windowHours = 168;
const halfLifeHours = 48;
/** Weight of a user without a verified e-mail address or a paid plan, because creating accounts is free. */
const unprovenWeight = 0.3;

const takeActivity = {
  name: 'activity_take',
  text: `
    delete from agent_activity where id in (select id from agent_activity order by id limit ${batchSize} for update skip locked)
    returning agent_id as "agentId", user_id as "userId", messages, created_at as "createdAt"`,
};
// The joins drop rows whose agent or user was deleted in the meantime.
const addActivity = {
  name: 'activity_add',
  text: `
    with v as (select * from unnest($1::text[], $2::text[], $3::integer[], $4::timestamptz[]) as v (agent_id, user_id, messages, at)),
    counted as (
      update agents a set message_count = a.message_count + s.messages
      from (select agent_id, sum(messages) as messages from v group by agent_id) s
      where a.id = s.agent_id
    )
    insert into agent_popularity as p (agent_id, user_id, hour, messages)
    select v.agent_id, v.user_id, date_trunc('hour', v.at), sum(v.messages)
    from v join agents a on a.id = v.agent_id join users u on u.id = v.user_id
    group by 1, 2, 3
    on conflict (agent_id, user_id, hour) do update set messages = p.messages + excluded.messages`,
};

interface Activity {
  agentId: string;
  userId: string;
  messages: number;
  createdAt: Date;
}

/**
 * Aggregates the activity of conversations into the counters of agents, and updates the trending scores of those
 * agents. Each row is counted exactly once. Returns the number of rows.
 */
export async function aggregateActivity(ctx: Ctx): Promise<number> {
  let aggregated = 0;
  for (let batch = batchSize; batch === batchSize; aggregated += batch)
    batch = await inTransaction(ctx, aggregateBatch);
  return aggregated;
}

async function aggregateBatch(ctx: Ctx): Promise<number> {
  const rows = await ctx.sql<Activity>(takeActivity);
  if (rows.length === 0) return 0;
  await ctx.sql(addActivity, [
    rows.map((row) => row.agentId),
    rows.map((row) => row.userId),
    rows.map((row) => row.messages),
    rows.map((row) => row.createdAt),
  ]);
  await ctx.sql(scoreAgents, [[...new Set(rows.map((row) => row.agentId))], ctx.clock.now()]);
  return rows.length;
}

// Each user counts with the logarithm of their decayed messages, so that many users outweigh one busy user.
const scoreAgents = {
  name: 'agents_score',
  text: `
    update agents a set trending_score = coalesce((
      select sum(u.weight * ln(1 + u.decayed) / ln(2)) from (
        select max(case when person.email_verified or person.plan <> 'free' then 1 else ${unprovenWeight} end) as weight, sum(p.messages * power(0.5, greatest(0, extract(epoch from $2::timestamptz - p.hour) / 3600) / ${halfLifeHours})) as decayed
        from agent_popularity p join users person on person.id = p.user_id
        where p.agent_id = a.id and p.hour > $2::timestamptz - interval '${windowHours} hours'
        group by p.user_id
      ) u), 0)
    where a.id = any ($1)`,
};
const listTrending = {
  name: 'agents_trending',
  text: `select id from agents where trending_score > 0 and id > $1 order by id limit 1000`,
};
const dropOld = {
  name: 'popularity_drop',
  text: `delete from agent_popularity where hour <= $1::timestamptz - interval '${windowHours} hours'`,
};

/** Decays the scores of trending agents and removes activity older than a week. */
export async function decayTrending(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  await ctx.sql(dropOld, [now]);
  for (let after = ''; ;) {
    const ids = (await ctx.sql<{ id: string }>(listTrending, [after])).map((agent) => agent.id);
    const last = ids.at(-1);
    if (last === undefined) return;
    await ctx.sql(scoreAgents, [ids, now]);
    after = last;
  }
}
