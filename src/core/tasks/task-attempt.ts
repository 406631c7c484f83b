import type { Ctx } from '../ctx.ts';
import { inTransaction } from '../database/transaction.ts';
import { describeError } from './task-errors.ts';
import { type ClaimedTask, extendLeases, failTask, finishTask, type Outcome, retryTask } from './task-leases.ts';
import { retryDelayMs, type TaskHandler, type TaskRun } from './task-handler.ts';

/** A claimed task while its handler runs. Times are on the scale of `performance.now()`. */
export interface TaskAttempt {
  task: ClaimedTask;
  controller: AbortController;
  /** Time by which the lease has expired, even if the database is unreachable. */
  leaseEndsMs: number;
  /** Time after which the attempt has timed out. */
  deadlineMs: number;
  /** Whether the handler has completed the task in its own transaction. */
  completed: boolean;
}

/** Reasons with which the signal of an attempt is aborted. */
export const leaseLost = new Error('the lease of the task is lost');
export const timedOut = new Error('the task took too long');
export const stopping = new Error('the process is stopping');

const defaultTimeoutMs = 300_000;
const lostOnEveryAttempt = 'its process died, or lost its lease, on every attempt';
/**
 * Number of extra claims in which the `failed` hook may run, because the hook itself could be what kills the process.
 */
const maxFailedHookRuns = 3;

/** Creates an attempt, whose timeout starts now. `leaseEndsMs` is a time from `performance.now()`. */
export const newAttempt = (handler: TaskHandler, task: ClaimedTask, leaseEndsMs: number): TaskAttempt => ({
  task,
  controller: new AbortController(),
  leaseEndsMs,
  deadlineMs: attemptDeadlineMs(handler),
  completed: false,
});

const attemptDeadlineMs = (handler: TaskHandler): number => performance.now() + (handler.timeoutMs ?? defaultTimeoutMs);

/** Runs the handler of a claimed task and writes the outcome. Throws only when the outcome could not be written. */
export async function runAttempt(ctx: Ctx, handler: TaskHandler, attempt: TaskAttempt): Promise<Outcome> {
  const { task, controller } = attempt;
  if (task.attempts > task.maxAttempts) return giveUp(ctx, handler, task, lostOnEveryAttempt);
  const leaseMs = leaseMsOf(handler);
  const run: TaskRun = {
    attempt: task.attempts,
    signal: controller.signal,
    heartbeat: async () => {
      attempt.deadlineMs = attemptDeadlineMs(handler);
      const leaseEndsMs = performance.now() + leaseMs;
      if (!(await extendLeases(ctx.sql, [task], leaseMs)).has(task.id)) controller.abort(leaseLost);
      controller.signal.throwIfAborted();
      attempt.leaseEndsMs = leaseEndsMs;
    },
    complete: async (inner) => {
      if ((await finishTask(inner.sql, task)).state === 'lost') throw leaseLost;
      attempt.completed = true;
    },
  };
  try {
    await handler.handle(ctx, task.payload, run);
  } catch (error) {
    return afterFailure(ctx, handler, attempt, error);
  }
  return attempt.completed ? { state: 'finished' } : finishTask(ctx.sql, task);
}

/** Returns the duration of the lease of a task, in milliseconds: 15 seconds by default. */
export const leaseMsOf = (handler: TaskHandler): number => handler.leaseMs ?? 15_000;

async function afterFailure(ctx: Ctx, handler: TaskHandler, attempt: TaskAttempt, error: unknown): Promise<Outcome> {
  const { task, controller } = attempt;
  if (controller.signal.reason === stopping) {
    return retryTask(ctx.sql, task, { delayMs: 0, error: null, uncounted: true });
  }
  const text = describeError(error);
  if (task.attempts >= task.maxAttempts) return giveUp(ctx, handler, task, text);
  const delayMs = delayAfter(handler, task);
  // Also after `complete`, because its transaction may have failed.
  const outcome = await retryTask(ctx.sql, task, { delayMs, error: text });
  if (outcome.state === 'lost' && attempt.completed) return { state: 'finished' };
  if (outcome.state === 'pending')
    ctx.log.warn({ attempt: task.attempts, error: text, delayMs }, 'task failed, will be retried');
  return outcome;
}

const delayAfter = (handler: TaskHandler, task: ClaimedTask): number =>
  retryDelayMs(handler.retryDelaysSeconds, task.attempts, Math.random());

async function giveUp(ctx: Ctx, handler: TaskHandler, task: ClaimedTask, error: string): Promise<Outcome> {
  try {
    return await inTransaction(ctx, async (inner) => {
      const outcome = await failTask(inner.sql, task, error);
      const mayRunHook = task.attempts <= task.maxAttempts + maxFailedHookRuns;
      if (outcome.state === 'failed' && mayRunHook) await handler.failed?.(inner, task.payload, error);
      if (outcome.state === 'failed') ctx.log.error({ attempts: task.attempts, error }, 'task failed for good');
      return outcome;
    });
  } catch (hookError) {
    ctx.log.error({ error: describeError(hookError) }, 'could not store the end of a failed task');
    return retryTask(ctx.sql, task, { delayMs: delayAfter(handler, task), error });
  }
}
