import { randomUUID } from 'node:crypto';
import type { Ctx } from '../ctx.ts';
import { fromNow } from '../database/database-time.ts';
import { leaseSql } from '../database/lease.ts';
import { describeError } from './task-errors.ts';
import { extendLeases } from './task-leases.ts';
import type { TaskKind, TaskPayloads } from './tasks.ts';

/** A cleanup task that runs unless it is withdrawn, even when the process that could withdraw it dies. */
export interface FallbackTask {
  /**
   * Withdraws the task. Inside `inTransaction` this takes effect with the commit. Returns false when the task is
   * running or has run, so the effect that it undoes must not be relied on.
   */
  withdraw(ctx: Ctx): Promise<boolean>;
  /** Stops extending the lease, so that a worker runs the task when the lease expires. */
  release(): void;
}

const leaseMs = 20_000;
const extendEveryMs = 5_000;
const maxAttempts = 1_000;

const insert = {
  name: 'fallback_insert',
  text: `
    insert into tasks (kind, key, payload, run_at, max_attempts, created_at, state, lease_token, lease_expires_at)
    values ($1, $2, $3, ${fromNow(0)}, ${maxAttempts}, now(), 'running', $4, ${fromNow(leaseMs)}) returning id`,
};
const remove = {
  name: 'fallback_withdraw',
  text: `delete from tasks where id = $1 and ${leaseSql().isOwnedBy('$2')} returning id`,
};

/**
 * Creates a fallback task before the effect that it undoes. The task is already claimed by this process, which extends
 * the lease until the task is withdrawn or released. `key` must be new.
 */
export async function holdFallbackTask<Kind extends TaskKind>(
  ctx: Ctx,
  kind: Kind,
  key: string,
  payload: TaskPayloads[Kind],
): Promise<FallbackTask> {
  const { sql, log } = ctx;
  const leaseToken = randomUUID();
  const [task] = await sql<{ id: number }>(insert, [kind, key, JSON.stringify(payload), leaseToken]);
  if (!task) throw new Error(`the fallback ${kind} was not written`);
  const timer = setInterval(() => {
    extendLeases(sql, [{ id: task.id, leaseToken }], leaseMs).then(
      (held) => held.size === 0 && clearInterval(timer),
      (error: unknown) => log.warn({ task: kind, error: describeError(error) }, 'could not extend a fallback task'),
    );
  }, extendEveryMs);
  timer.unref();
  return {
    withdraw: async (inner) => (await inner.sql(remove, [task.id, leaseToken])).length > 0,
    release: () => clearInterval(timer),
  };
}

/**
 * Runs the cleanup `undo` now. If it fails, the task runs it later. Returns false when the task is running or has run.
 */
export async function cleanUpNow(ctx: Ctx, task: FallbackTask, undo: () => Promise<void>): Promise<boolean> {
  task.release();
  try {
    await undo();
    return await task.withdraw(ctx);
  } catch (error) {
    ctx.log.warn({ err: error }, 'a cleanup failed; its fallback task repeats it');
    return true;
  }
}
