import { fromNow, msUntil } from '../database/database-time.ts';
import { leaseSql } from '../database/lease.ts';
import type { Sql } from '../database/sql.ts';

/** A task that this process holds under a lease. Every write of its outcome checks `leaseToken`. */
export interface ClaimedTask {
  id: number;
  leaseToken: string;
  payload: object;
  /** Number of claims, including this one. Greater than `maxAttempts` when the holders died on all allowed attempts. */
  attempts: number;
  maxAttempts: number;
}

type Lease = Pick<ClaimedTask, 'id' | 'leaseToken'>;

const lease = leaseSql({ alias: 'tasks' });

/** Condition: the task is due, or its lease has expired. An index supports it. */
const isDue = `state <> 'failed' and coalesce(lease_expires_at, run_at) <= now()`;

const claim = {
  name: 'tasks_claim',
  text: `
    with due as (
      select id from tasks where kind = $1 and ${isDue}
      order by coalesce(lease_expires_at, run_at), id
      limit $2
      for update skip locked
    )
    update tasks set state = 'running', attempts = attempts + 1, ${lease.claim('$3', '$4')}
    from due where tasks.id = due.id
    returning tasks.id, lease_token as "leaseToken", payload, attempts, max_attempts as "maxAttempts"`,
};

interface ClaimOptions {
  kind: string;
  limit: number;
  leaseToken: string;
  leaseMs: number;
}

/** Claims up to `limit` due tasks, including those with an expired lease, and counts an attempt for each. */
export const claimTasks = (sql: Sql, { kind, limit, leaseToken, leaseMs }: ClaimOptions): Promise<ClaimedTask[]> =>
  sql<ClaimedTask>(claim, [kind, limit, leaseToken, leaseMs]);

const extend = {
  name: 'tasks_extend',
  text: `
    update tasks set ${lease.extend('$3')}
    from unnest($1::bigint[], $2::text[]) as held (id, lease_token)
    where tasks.id = held.id and ${lease.isOwnedBy('held.lease_token')}
    returning tasks.id`,
};

/**
 * Extends the leases to `leaseMs` from now. Returns the ids of the tasks that are still held; the others were claimed
 * by another process or removed.
 */
export async function extendLeases(sql: Sql, leases: readonly Lease[], leaseMs: number): Promise<Set<number>> {
  const rows = await sql<{ id: number }>(extend, [leases.map((l) => l.id), leases.map((l) => l.leaseToken), leaseMs]);
  return new Set(rows.map((row) => row.id));
}

const isHeld = `id = $1 and ${lease.isOwnedBy('$2')}`;
const waitMs = `greatest(${msUntil('run_at')}, 0) as "waitMs"`;

const finish = {
  name: 'tasks_finish',
  text: `delete from tasks where ${isHeld} and rerun_at is null returning id`,
};

const rerun = {
  name: 'tasks_rerun',
  text: `
    update tasks set state = 'pending', run_at = rerun_at, rerun_at = null, attempts = 0, last_error = null,
      ${lease.release}
    where ${isHeld} and rerun_at is not null
    returning ${waitMs}`,
};

/**
 * Outcome of a write under a lease. `lost`: another process claimed the task after the lease had expired, so nothing
 * was written. `pending`: the task is due again in `waitMs`.
 */
export type Outcome = { state: 'finished' | 'failed' | 'lost' } | { state: 'pending'; waitMs: number };

/** Deletes the task, or makes it pending again if it was enqueued while it ran. */
export const finishTask = async (sql: Sql, held: Lease): Promise<Outcome> =>
  (await sql(finish, [held.id, held.leaseToken])).length > 0 ? { state: 'finished' } : rerunTask(sql, held);

async function rerunTask(sql: Sql, held: Lease): Promise<Outcome> {
  const [row] = await sql<{ waitMs: number }>(rerun, [held.id, held.leaseToken]);
  return row ? { state: 'pending', ...row } : { state: 'lost' };
}

const retry = {
  name: 'tasks_retry',
  text: `
    update tasks set state = 'pending', run_at = ${fromNow('$3')}, rerun_at = null, attempts = attempts - $5,
      last_error = $4, ${lease.release}
    where ${isHeld}
    returning ${waitMs}`,
};

interface RetryOptions {
  delayMs: number;
  error: string | null;
  /** Does not count the attempt, because the process is stopping and the task did not fail. */
  uncounted?: boolean;
}

/** Makes the task pending, due in `delayMs`. */
export async function retryTask(
  sql: Sql,
  held: Lease,
  { delayMs, error, uncounted = false }: RetryOptions,
): Promise<Outcome> {
  const [row] = await sql<{ waitMs: number }>(retry, [held.id, held.leaseToken, delayMs, error, uncounted ? 1 : 0]);
  return row ? { state: 'pending', ...row } : { state: 'lost' };
}

const fail = {
  name: 'tasks_fail',
  text: `
    update tasks set state = 'failed', attempts = least(attempts, max_attempts), finished_at = now(), last_error = $3,
      ${lease.release}
    where ${isHeld} and rerun_at is null
    returning id`,
};

/** Marks the task as permanently failed, or makes it pending again if it was enqueued while it ran. */
export const failTask = async (sql: Sql, held: Lease, error: string): Promise<Outcome> =>
  (await sql(fail, [held.id, held.leaseToken, error])).length > 0 ? { state: 'failed' } : rerunTask(sql, held);

/** Time until the next task of a kind can be claimed. */
export interface DueTime {
  kind: string;
  /** Milliseconds; at most 0 when a task is due. */
  inMs: number;
}

const dueTimes = {
  name: 'tasks_due_times',
  text: `
    select wanted.kind, ${msUntil('next.at')} as "inMs"
    from unnest($1::text[]) as wanted (kind) cross join lateral (
      select coalesce(lease_expires_at, run_at) as at from tasks where kind = wanted.kind and state <> 'failed'
      order by coalesce(lease_expires_at, run_at), id limit 1
    ) next`,
};

/** Returns the next due time of each of `kinds` that has tasks. A running task is due when its lease expires. */
export const listDueTimes = (sql: Sql, kinds: readonly string[]): Promise<DueTime[]> => sql<DueTime>(dueTimes, [kinds]);
