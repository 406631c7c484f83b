import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { addInterest } from '../../studio/analytics/interest/interest.ts';

const batchSize = 5_000;

const takeNotes = {
  name: 'counter_notes_take',
  text: `
    delete from counter_notes where id in (
      select id from counter_notes order by id limit ${batchSize} for update skip locked)
    returning kind, subject_id as "subjectId", delta, created_at as "createdAt"`,
};

// The joins drop notes whose subject was deleted. Rows are locked in id order, as in the recount, to prevent deadlocks.
const addToProfiles = {
  name: 'counter_notes_profiles',
  text: `
    insert into profiles as p (user_id, follower_count, following_count, notice_due, recount_due)
    select u.id, sum(v.followers), sum(v.following), bool_or(v.gained), true
    from unnest($1::text[], $2::integer[], $3::integer[], $4::boolean[]) as v (id, followers, following, gained)
    join users u on u.id = v.id
    group by u.id order by u.id
    on conflict (user_id) do update set follower_count = p.follower_count + excluded.follower_count,
      following_count = p.following_count + excluded.following_count, notice_due = p.notice_due or excluded.notice_due,
      recount_due = true`,
};
const addToAgents = {
  name: 'counter_notes_agents',
  text: `
    insert into agent_likes as l (agent_id, like_count, notice_due, recount_due)
    select a.id, sum(v.likes), bool_or(v.gained), true
    from unnest($1::text[], $2::integer[], $3::boolean[]) as v (id, likes, gained) join agents a on a.id = v.id
    group by a.id order by a.id
    on conflict (agent_id) do update set like_count = l.like_count + excluded.like_count,
      notice_due = l.notice_due or excluded.notice_due, recount_due = true`,
};
const addToDays = {
  name: 'counter_notes_days',
  text: addInterest(`
    select v.agent_id, v.at, 0 as listing_views, v.likes
    from unnest($1::text[], $2::integer[], $3::timestamptz[]) as v (agent_id, likes, at)`),
};
const addToShares = {
  name: 'counter_notes_shares',
  text: `
    update shares s set view_count = s.view_count + v.views
    from (select id, sum(views) as views from unnest($1::text[], $2::integer[]) as t (id, views) group by id) v
    where s.id = v.id`,
};

interface Note {
  kind: string;
  subjectId: string;
  delta: number;
  createdAt: Date;
}

/**
 * Aggregates all pending notes into the counters, in one transaction a batch, and returns the number of notes.
 * Concurrent calls count each note exactly once.
 */
export async function aggregateNotes(ctx: Ctx): Promise<number> {
  let aggregated = 0;
  for (let batch = batchSize; batch === batchSize; aggregated += batch)
    batch = await inTransaction(ctx, aggregateBatch);
  return aggregated;
}

async function aggregateBatch(tx: Ctx): Promise<number> {
  const notes = await tx.sql<Note>(takeNotes);
  const of = (...kinds: string[]): Note[] => notes.filter(({ kind }) => kinds.includes(kind));
  const ids = (some: readonly Note[]): string[] => some.map(({ subjectId }) => subjectId);
  const profiles = of('follower', 'following');
  if (profiles.length > 0) {
    await tx.sql(addToProfiles, [
      ids(profiles),
      profiles.map(({ kind, delta }) => (kind === 'follower' ? delta : 0)),
      profiles.map(({ kind, delta }) => (kind === 'following' ? delta : 0)),
      profiles.map(({ kind, delta }) => kind === 'follower' && delta > 0),
    ]);
  }
  const likes = of('like');
  if (likes.length > 0) {
    const deltas = likes.map(({ delta }) => delta);
    await tx.sql(addToAgents, [ids(likes), deltas, deltas.map((delta) => delta > 0)]);
    await tx.sql(addToDays, [ids(likes), deltas, likes.map(({ createdAt }) => createdAt.toISOString())]);
  }
  const views = of('view');
  if (views.length > 0) await tx.sql(addToShares, [ids(views), views.map(({ delta }) => delta)]);
  return notes.length;
}
