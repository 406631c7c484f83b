import type { Ctx } from '../../core/ctx.ts';
import { ago } from '../../core/database/purge-in-batches.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { Statement } from '../../core/database/sql.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { isUnrestricted } from '../../moderation/restrictions.ts';
import { pending } from './counters.ts';

const batchSize = 200;

/**
 * Locks counters that changed since the last recount. Counting is a separate statement, so that it sees everything that
 * was committed before the lock.
 */
const lockProfiles = {
  name: 'recount_lock_profiles',
  text: `
    select user_id as id from profiles where recount_due and user_id > $1 order by user_id limit ${batchSize}
    for no key update`,
};
const lockAgents = {
  name: 'recount_lock_agents',
  text: `
    select agent_id as id from agent_likes where recount_due and agent_id > $1 order by agent_id limit ${batchSize}
    for no key update`,
};
const recountProfiles = {
  name: 'recount_profiles',
  text: `
    with real as (
      select i.id, (select count(*) from follows f where f.followee_id = i.id and ${isUnrestricted('f.follower_id')}) - ${pending('follower', 'i.id')} as followers,
        (select count(*) from follows f where f.follower_id = i.id) - ${pending('following', 'i.id')} as following
      from unnest($1::text[]) as i (id)
    ), before as (
      select p.user_id, p.follower_count <> real.followers or p.following_count <> real.following as drifted
      from profiles p join real on real.id = p.user_id
    ), corrected as (
      update profiles p set follower_count = real.followers, following_count = real.following, recount_due = false
      from real where real.id = p.user_id
    )
    select count(*) filter (where drifted) as drifted from before`,
};
const recountAgents = {
  name: 'recount_agents',
  text: `
    with real as (
      select i.id, (select count(*) from likes l where l.agent_id = i.id and ${isUnrestricted('l.user_id')}) - ${pending('like', 'i.id')} as likes
      from unnest($1::text[]) as i (id)
    ), before as (
      select c.agent_id, c.like_count <> real.likes as drifted from agent_likes c join real on real.id = c.agent_id
    ), corrected as (
      update agent_likes c set like_count = real.likes, recount_due = false from real where real.id = c.agent_id
    )
    select count(*) filter (where drifted) as drifted from before`,
};
const record = {
  name: 'recount_record',
  text: `
    insert into social_recounts (id, counters, drifted, finished_at) values (1, $1, $2, $3)
    on conflict (id) do update set counters = excluded.counters, drifted = excluded.drifted, finished_at = excluded.finished_at`,
};

const decidedAuthors = `
  select author_id from moderation_decisions where action in ('restrict_author', 'restore') and created_at > $1`;
const restrictedFollows = {
  name: 'recount_restricted_follows',
  text: `
    select distinct p.user_id as id from profiles p join follows f on f.followee_id = p.user_id
    where f.follower_id in (${decidedAuthors}) and p.user_id > $2 order by 1 limit ${batchSize}`,
};
const restrictedLikes = {
  name: 'recount_restricted_likes',
  text: `
    select distinct c.agent_id as id from agent_likes c join likes l on l.agent_id = c.agent_id
    where l.user_id in (${decidedAuthors}) and c.agent_id > $2 order by 1 limit ${batchSize}`,
};
const lockProfilesById = {
  name: 'recount_lock_profiles_by_id',
  text: `select from profiles where user_id = any ($1) order by user_id for no key update`,
};
const lockAgentsById = {
  name: 'recount_lock_agents_by_id',
  text: `select from agent_likes where agent_id = any ($1) order by agent_id for no key update`,
};
const decisionsMs = 2 * 86_400_000;

/**
 * Recounts the counters that include follows or likes of accounts that moderators restricted or restored in the last
 * two days. Follows and likes of a restricted account are not counted.
 */
async function recountRestricted(ctx: Ctx, list: Statement, lock: Statement, recount: Statement): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: { id: string }[] = await ctx.sql<{ id: string }>(list, [ago(ctx, decisionsMs), after]);
    const ids = rows.map(({ id }) => id);
    await inTransaction(ctx, async (tx) => {
      await tx.sql(lock, [ids]);
      await tx.sql(recount, [ids]);
    });
    after = ids.length < batchSize ? undefined : ids.at(-1);
  }
}

/** Recounts the counters that changed since the last recount, corrects them and records how many had drifted. */
export async function recountSocial(ctx: Ctx, run: TaskRun): Promise<{ counters: number; drifted: number }> {
  await recountRestricted(ctx, restrictedFollows, lockProfilesById, recountProfiles);
  await recountRestricted(ctx, restrictedLikes, lockAgentsById, recountAgents);
  const profiles = await recountAll(ctx, lockProfiles, recountProfiles, run);
  const agents = await recountAll(ctx, lockAgents, recountAgents, run);
  const found = { counters: profiles.counters + agents.counters, drifted: profiles.drifted + agents.drifted };
  await ctx.sql(record, [found.counters, found.drifted, ctx.clock.now()]);
  if (found.drifted > 0) ctx.log.error(found, 'counters of follows or likes had drifted and were corrected');
  return found;
}

async function recountAll(ctx: Ctx, lock: Statement, recount: Statement, run: TaskRun) {
  const found = { counters: 0, drifted: 0 };
  for (let after = ''; ;) {
    const ids = await inTransaction(ctx, async (tx) => {
      const locked = (await tx.sql<{ id: string }>(lock, [after])).map(({ id }) => id);
      if (locked.length === 0) return locked;
      const [row] = await tx.sql<{ drifted: number }>(recount, [locked]);
      found.drifted += row?.drifted ?? 0;
      return locked;
    });
    found.counters += ids.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < batchSize) return found;
    after = last;
    await run.heartbeat();
  }
}
