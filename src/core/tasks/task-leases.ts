import { fromNow, msUntil } from '../database/database-time.ts';
import { leaseSql } from '../database/lease.ts';
import type { Sql } from '../database/sql.ts';

/** A row that this process holds under a lease. Every write of its outcome checks `leaseToken`. */
export interface ClaimedTask {
  id: number;
  leaseToken: string;
  payload: object;
  /** This claim included. More than `maxAttempts` when its holders died on all of them. */
  attempts: number;
  maxAttempts: number;
}

type Lease = Pick<ClaimedTask, 'id' | 'leaseToken'>;

const lease = leaseSql({ alias: 'tasks' });

/** Condition: the row waits and its time has come, or its holder stopped extending the lease. Has an index. */
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

/** Claims up to `limit` due rows, those with an expired lease included, and counts the attempt of each. */
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

/** Extends the leases to `leaseMs` from now. Returns the ids that are still held; the others were claimed or removed. */
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
 * Outcome of a write under a lease. `lost`: another process claimed it after the lease expired, so nothing was written.
 * `pending`: it is due again in `waitMs`.
 */
export type Outcome = { state: 'finished' | 'failed' | 'lost' } | { state: 'pending'; waitMs: number };

/** Deletes the row, or makes it pending again if it was enqueued again meanwhile. */
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
  /** Takes the attempt back: the holder is stopping, the task did not fail. */
  uncounted?: boolean;
}

/** Makes the row pending, due in `delayMs`. */
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

/** Marks the row as failed for good, or makes it pending again if it was enqueued again meanwhile. */
export const failTask = async (sql: Sql, held: Lease, error: string): Promise<Outcome> =>
  (await sql(fail, [held.id, held.leaseToken, error])).length > 0 ? { state: 'failed' } : rerunTask(sql, held);

/** When the next task of a kind can be claimed. */
export interface DueTime {
  kind: string;
  /** At most 0 when it is due. */
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

/** The next due time of each of `kinds` that has tasks; of one that runs it is the end of its lease. */
export const listDueTimes = (sql: Sql, kinds: readonly string[]): Promise<DueTime[]> => sql<DueTime>(dueTimes, [kinds]);
