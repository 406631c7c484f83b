import type { Ctx } from '../ctx.ts';

/** Amount of waiting work in the database, the same on every instance. Counts are capped at 1,000. */
export interface QueueDepths {
  /** `due`: can run now. `waiting`: not due yet. `failed`: failed permanently, kept for thirty days. */
  tasks: { kind: string; state: 'due' | 'waiting' | 'running' | 'failed'; count: number }[];
  /** Age in seconds of the oldest due task, for each kind that has one. */
  oldestDue: { kind: string; seconds: number }[];
  /** Time of the last permanent failure within thirty days, for each kind that has one. */
  lastFailure: { kind: string; at: Date }[];
  /** Events that no dispatcher has claimed yet. */
  outbox: { count: number; oldestSeconds: number };
}

const countLimit = 1_000;

// Skip scan over the kinds, which reads at most `countLimit` rows of each.
const readTasks = {
  name: 'queue_depths_tasks',
  text: `
    with recursive kinds (kind) as (
      (select kind from tasks where state <> 'failed' order by kind limit 1)
      union all
      select (select t.kind from tasks t where t.state <> 'failed' and t.kind > k.kind order by t.kind limit 1)
      from kinds k where k.kind is not null
    ),
    live as (
      select k.kind, r.state, count(*) as count, min(r.due_at) filter (where r.state = 'due') as oldest
      from kinds k cross join lateral (
        select coalesce(t.lease_expires_at, t.run_at) as due_at,
          case when coalesce(t.lease_expires_at, t.run_at) <= now() then 'due' when t.state = 'running' then 'running'
            else 'waiting' end as state
        from tasks t where t.kind = k.kind and t.state <> 'failed'
        order by coalesce(t.lease_expires_at, t.run_at), t.id limit ${countLimit}
      ) r
      group by k.kind, r.state
    ),
    failed as (
      select kind, count(*) as count, max(finished_at) as last from (
        select kind, finished_at from tasks where state = 'failed' order by finished_at desc limit ${countLimit}) f
      group by kind
    )
    select kind, state, count, extract(epoch from now() - oldest)::float8 as "oldestSeconds", null::timestamptz as last from live
    union all
    select kind, 'failed', count, null, last from failed
    order by kind, state`,
};
// Unnamed on purpose: a plan cached while the tables were empty would read all events.
const readOutbox = {
  name: '',
  text: `
    with waiting as (
      (select seq from outbox_queue order by seq limit ${countLimit})
      union all
      (select seq from outbox_events where dispatched_at is null order by seq limit ${countLimit})
    )
    select count(*) as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
    from (
      select e.created_at from waiting w join outbox_events e on e.seq = w.seq
      where e.seq = any (array(select seq from waiting)) limit ${countLimit}
    ) o`,
};

type TaskRow = QueueDepths['tasks'][number] & { oldestSeconds: number | null; last: Date | null };

/**
 * Measures the queues with two statements that read only the front of indexes, so the cost does not depend on the size
 * of the tables.
 */
export async function measureQueues({ sql }: Ctx): Promise<QueueDepths> {
  const tasks = await sql<TaskRow>(readTasks);
  const [outbox] = await sql<QueueDepths['outbox']>(readOutbox);
  return {
    tasks: tasks.map(({ kind, state, count }) => ({ kind, state, count })),
    oldestDue: tasks.flatMap(({ kind, oldestSeconds }) =>
      oldestSeconds === null ? [] : [{ kind, seconds: Math.max(oldestSeconds, 0) }],
    ),
    lastFailure: tasks.flatMap(({ kind, last }) => (last ? [{ kind, at: last }] : [])),
    outbox: { count: outbox?.count ?? 0, oldestSeconds: Math.max(outbox?.oldestSeconds ?? 0, 0) },
  };
}
