import type { Sql } from './sql.ts';

/** A row that this process holds. Every write of its outcome carries `leaseToken`, so a holder that was late writes nothing. */
export interface ClaimedTask {
  id: number;
  leaseToken: string;
  payload: object;
  /** This claim included. More than `maxAttempts` when its holders died on all of them. */
  attempts: number;
  maxAttempts: number;
  /** When it was to run. */
  runAt: Date;
  createdAt: Date;
}

type Lease = Pick<ClaimedTask, 'id' | 'leaseToken'>;

const claim = {
  name: 'tasks_claim',
  text: `
    with due as (
      select id from tasks
      where kind = $1 and state <> 'failed' and coalesce(lease_expires_at, run_at) <= $2
      order by coalesce(lease_expires_at, run_at), id
      limit $3
      for update skip locked
    )
    update tasks set state = 'running', attempts = attempts + 1, lease_token = $4, lease_expires_at = $5
    from due where tasks.id = due.id
    returning tasks.id, lease_token as "leaseToken", payload, attempts, max_attempts as "maxAttempts",
      run_at as "runAt", created_at as "createdAt"`,
};

interface ClaimOptions {
  kind: string;
  now: Date;
  limit: number;
  leaseToken: string;
  leaseMs: number;
}

/** Takes up to `limit` due rows, among them those whose holder's lease ran out, and counts the attempt of each. */
export const claimTasks = (sql: Sql, { kind, now, limit, leaseToken, leaseMs }: ClaimOptions): Promise<ClaimedTask[]> =>
  sql<ClaimedTask>(claim, [kind, now, limit, leaseToken, new Date(now.getTime() + leaseMs)]);

const extend = {
  name: 'tasks_extend',
  text: `
    update tasks set lease_expires_at = $3
    from unnest($1::bigint[], $2::text[]) as held (id, lease_token)
    where tasks.id = held.id and tasks.lease_token = held.lease_token
    returning tasks.id`,
};

/** Holds the rows until `until`. Answers the ids that are still held; the others belong to someone else or are gone. */
export async function extendLeases(sql: Sql, leases: readonly Lease[], until: Date): Promise<Set<number>> {
  const rows = await sql<{ id: number }>(extend, [leases.map((l) => l.id), leases.map((l) => l.leaseToken), until]);
  return new Set(rows.map((row) => row.id));
}

const finish = {
  name: 'tasks_finish',
  text: `delete from tasks where id = $1 and lease_token = $2 and rerun_at is null returning id`,
};

const runAgain = {
  name: 'tasks_run_again',
  text: `
    update tasks set state = 'pending', run_at = rerun_at, rerun_at = null, attempts = 0, last_error = null,
      lease_token = null, lease_expires_at = null
    where id = $1 and lease_token = $2 and rerun_at is not null
    returning run_at as "runAt"`,
};

/** What became of a lease's row. `lost`: the lease ran out and someone else has the row, so nothing was written. */
export type Outcome = { state: 'finished' | 'failed' | 'lost' } | { state: 'pending'; runAt: Date };

/** The row is done and goes, or runs once more when that was asked for meanwhile. */
export const finishTask = async (sql: Sql, lease: Lease): Promise<Outcome> =>
  (await sql(finish, [lease.id, lease.leaseToken])).length > 0 ? { state: 'finished' } : rerunTask(sql, lease);

async function rerunTask(sql: Sql, lease: Lease): Promise<Outcome> {
  const [row] = await sql<{ runAt: Date }>(runAgain, [lease.id, lease.leaseToken]);
  return row ? { state: 'pending', runAt: row.runAt } : { state: 'lost' };
}

const retry = {
  name: 'tasks_retry',
  text: `
    update tasks set state = 'pending', run_at = $3, rerun_at = null, attempts = attempts - $5, last_error = $4,
      lease_token = null, lease_expires_at = null
    where id = $1 and lease_token = $2
    returning run_at as "runAt"`,
};

/** Puts the row back for `runAt`. `uncounted` takes the attempt back: the holder is stopping, the task did nothing wrong. */
export async function retryTask(
  sql: Sql,
  lease: Lease,
  { runAt, error, uncounted = false }: { runAt: Date; error: string | null; uncounted?: boolean },
): Promise<Outcome> {
  const [row] = await sql<{ runAt: Date }>(retry, [lease.id, lease.leaseToken, runAt, error, uncounted ? 1 : 0]);
  return row ? { state: 'pending', runAt: row.runAt } : { state: 'lost' };
}

const fail = {
  name: 'tasks_fail',
  text: `
    update tasks set state = 'failed', attempts = least(attempts, max_attempts), finished_at = $3, last_error = $4,
      lease_token = null, lease_expires_at = null
    where id = $1 and lease_token = $2 and rerun_at is null
    returning id`,
};

/** Gives the row up for good, or lets it start afresh when it was asked for again meanwhile. */
export const failTask = async (sql: Sql, lease: Lease, now: Date, error: string): Promise<Outcome> =>
  (await sql(fail, [lease.id, lease.leaseToken, now, error])).length > 0 ? { state: 'failed' } : rerunTask(sql, lease);

const due = {
  name: 'tasks_due_kinds',
  text: `
    select wanted.kind from unnest($1::text[]) as wanted (kind)
    where exists (
      select from tasks
      where kind = wanted.kind and state <> 'failed' and coalesce(lease_expires_at, run_at) <= $2
    )`,
};

/** Those of `kinds` that have work to claim now. */
export const listDueKinds = async (sql: Sql, kinds: readonly string[], now: Date): Promise<string[]> =>
  (await sql<{ kind: string }>(due, [kinds, now])).map((row) => row.kind);
