import type { Ctx } from './ctx.ts';
import { inTransaction } from './transaction.ts';
import { describeError } from './task-errors.ts';
import { type ClaimedTask, extendLeases, failTask, finishTask, type Outcome, retryTask } from './task-leases.ts';
import { retryDelayMs, type TaskHandler, type TaskRun } from './task-handler.ts';

/** A claimed task on its way through a handler. */
export interface Attempt {
  task: ClaimedTask;
  controller: AbortController;
  leaseUntil: Date;
  /** Milliseconds of the process's own clock after which the attempt has taken too long. */
  deadlineMs: number;
  /** The handler ended the task in a transaction of its own. */
  completed: boolean;
}

/** Reasons for which an attempt's signal fires. */
export const leaseLost = new Error('the lease of the task is lost');
export const timedOut = new Error('the task took too long');
export const stopping = new Error('the process is stopping');

const defaultTimeoutMs = 300_000;
const deadHolder = 'its process died, or lost its lease, on every attempt';
/** Claims beyond the allowed ones in which `failed` may run: it could be what kills the process. */
const lastRites = 3;

export const newAttempt = (handler: TaskHandler, task: ClaimedTask, leaseUntil: Date): Attempt => ({
  task,
  controller: new AbortController(),
  leaseUntil,
  deadlineMs: attemptDeadlineMs(handler),
  completed: false,
});

const attemptDeadlineMs = (handler: TaskHandler): number => performance.now() + (handler.timeoutMs ?? defaultTimeoutMs);

/** Runs the handler on a claimed task and writes the outcome. Throws only when the outcome could not be written. */
export async function runAttempt(ctx: Ctx, handler: TaskHandler, attempt: Attempt): Promise<Outcome> {
  const { task, controller } = attempt;
  if (task.attempts > task.maxAttempts) return giveUp(ctx, handler, task, deadHolder);
  const run: TaskRun = {
    attempt: task.attempts,
    signal: controller.signal,
    heartbeat: async () => {
      attempt.deadlineMs = attemptDeadlineMs(handler);
      const until = new Date(ctx.clock.now().getTime() + leaseMsOf(handler));
      if (!(await extendLeases(ctx.sql, [task], until)).has(task.id)) controller.abort(leaseLost);
      controller.signal.throwIfAborted();
      attempt.leaseUntil = until;
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

export const leaseMsOf = (handler: TaskHandler): number => handler.leaseMs ?? 15_000;

async function afterFailure(ctx: Ctx, handler: TaskHandler, attempt: Attempt, error: unknown): Promise<Outcome> {
  const { task, controller } = attempt;
  const now = ctx.clock.now();
  const text = describeError(error);
  if (controller.signal.reason === stopping) {
    return retryTask(ctx.sql, task, { runAt: now, error: null, uncounted: true });
  }
  if (task.attempts >= task.maxAttempts) return giveUp(ctx, handler, task, text);
  const runAt = new Date(now.getTime() + retryDelayMs(handler.retryDelaysSeconds, task.attempts, Math.random()));
  // Tried even after `complete`: its transaction may be what failed.
  const outcome = await retryTask(ctx.sql, task, { runAt, error: text });
  if (outcome.state === 'lost' && attempt.completed) return { state: 'finished' };
  if (outcome.state === 'pending')
    ctx.log.warn({ attempt: task.attempts, error: text, runAt }, 'task failed, will be tried again');
  return outcome;
}

async function giveUp(ctx: Ctx, handler: TaskHandler, task: ClaimedTask, error: string): Promise<Outcome> {
  const now = ctx.clock.now();
  try {
    return await inTransaction(ctx, async (inner) => {
      const outcome = await failTask(inner.sql, task, now, error);
      const isLastWord = task.attempts > task.maxAttempts + lastRites;
      if (outcome.state === 'failed' && !isLastWord) await handler.failed?.(inner, task.payload, error);
      if (outcome.state === 'failed') ctx.log.error({ attempts: task.attempts, error }, 'task given up');
      return outcome;
    });
  } catch (hookError) {
    ctx.log.error({ error: describeError(hookError) }, 'task could not be given up');
    const runAt = new Date(now.getTime() + retryDelayMs(handler.retryDelaysSeconds, task.attempts, Math.random()));
    return retryTask(ctx.sql, task, { runAt, error });
  }
}
