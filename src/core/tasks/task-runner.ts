import { randomUUID } from 'node:crypto';
import type { Ctx } from '../ctx.ts';
import { withTimeout } from '../waiting/with-timeout.ts';
import { extendAttempts } from './extend-attempts.ts';
import { type TaskAttempt, leaseMsOf, newAttempt, runAttempt, stopping } from './task-attempt.ts';
import { describeError } from './task-errors.ts';
import { type ClaimedTask, claimTasks } from './task-leases.ts';
import type { TaskHandler } from './task-handler.ts';

/** Runs the due tasks of one kind in this process, at most `handler.concurrency` at a time. */
export interface TaskRunner {
  /** Claims due tasks now. Calls during a claim cause one further claim after it. */
  wake(): void;
  /** Resolves when no task runs here and the last claim left no due task. */
  idle(): Promise<void>;
  /**
   * Stops claiming, waits up to `graceMs` for running tasks, then releases the rest so that other processes can start
   * them immediately.
   */
  stop(graceMs: number): Promise<void>;
}

interface RunnerOptions {
  /** Returns a new Ctx of the system actor for each attempt. */
  newCtx: () => Ctx;
  /** Called when a task of the kind is pending again and due in `inMs`. */
  onPending: (kind: string, inMs: number) => void;
}

/** Time for handlers to end after their signal was aborted, before the process stops without them, in milliseconds. */
const abortGraceMs = 2_000;

export function createTaskRunner(handler: TaskHandler, { newCtx, onPending }: RunnerOptions): TaskRunner {
  const { kind, concurrency = 5 } = handler;
  const leaseMs = leaseMsOf(handler);
  const attempts = new Set<TaskAttempt>();
  let becameIdle = Promise.withResolvers<void>();
  let isClaiming = false;
  let claimAgain = false;
  let refillQueued = false;
  let mayHaveMore = false;
  let stopped = false;
  let heartbeat: NodeJS.Timeout | undefined;

  const isIdle = () => !isClaiming && !refillQueued && attempts.size === 0;
  const settleIdle = () => {
    if (!isIdle()) return;
    clearInterval(heartbeat);
    heartbeat = undefined;
    becameIdle.resolve();
    becameIdle = Promise.withResolvers();
  };

  async function claim(): Promise<void> {
    if (isClaiming) {
      claimAgain = true;
      return;
    }
    isClaiming = true;
    try {
      do {
        claimAgain = false;
        await claimAndStart();
      } while (claimAgain);
    } catch (error) {
      mayHaveMore = true;
      newCtx().log.warn({ task: kind, error: describeError(error) }, 'could not claim tasks, will retry');
    } finally {
      isClaiming = false;
      settleIdle();
    }
  }

  async function claimAndStart(): Promise<void> {
    for (;;) {
      const limit = concurrency - attempts.size;
      if (limit <= 0 || stopped) return;
      const leaseEndsMs = performance.now() + leaseMs;
      const tasks = await claimTasks(newCtx().sql, { kind, limit, leaseToken: randomUUID(), leaseMs });
      for (const task of tasks) void start(task, leaseEndsMs);
      mayHaveMore = tasks.length === limit;
      if (!mayHaveMore) return;
    }
  }

  async function start(task: ClaimedTask, leaseEndsMs: number): Promise<void> {
    const attempt = newAttempt(handler, task, leaseEndsMs);
    attempts.add(attempt);
    heartbeat ??= setInterval(() => void extendAttempts(newCtx(), kind, attempts, leaseMs), leaseMs / 3);
    const base = newCtx();
    const ctx = { ...base, log: base.log.child({ task: kind, taskId: task.id }) };
    try {
      const outcome = await runAttempt(ctx, handler, attempt);
      if (outcome.state === 'pending') onPending(kind, outcome.waitMs);
      if (outcome.state === 'lost') ctx.log.warn('the lease was lost, so the outcome was not written');
    } catch (error) {
      // The task keeps its lease and is due again when it expires.
      ctx.log.warn({ error: describeError(error) }, 'could not store the outcome of a task');
    } finally {
      attempts.delete(attempt);
      if (mayHaveMore && !stopped) queueRefill();
      settleIdle();
    }
  }

  // One claim serves all attempts that end in the same turn of the event loop.
  function queueRefill(): void {
    if (refillQueued) return;
    refillQueued = true;
    setImmediate(() => {
      refillQueued = false;
      void claim();
    });
  }

  const idle = (): Promise<void> => (isIdle() ? Promise.resolve() : becameIdle.promise);

  return {
    wake: () => {
      if (!stopped) void claim();
    },
    idle,
    stop: async (graceMs) => {
      stopped = true;
      await withTimeout(idle(), graceMs, () => undefined);
      for (const attempt of attempts) attempt.controller.abort(stopping);
      await withTimeout(idle(), abortGraceMs, () => undefined);
      clearInterval(heartbeat);
    },
  };
}

/** Runs all due tasks of the handlers, including those that become due meanwhile. Returns when none are left. */
export async function runDueTasks(
  handlers: readonly TaskHandler[],
  {
    newCtx,
    signal,
    onPending = () => undefined,
  }: Pick<RunnerOptions, 'newCtx'> & Partial<RunnerOptions> & { signal?: AbortSignal },
): Promise<void> {
  const runners = handlers.map((handler) => createTaskRunner(handler, { newCtx, onPending }));
  const stop = () => runners.forEach((runner) => void runner.stop(0));
  signal?.addEventListener('abort', stop, { once: true });
  for (const runner of runners) if (!signal?.aborted) runner.wake();
  await Promise.all(runners.map((runner) => runner.idle()));
  signal?.removeEventListener('abort', stop);
}
