import type { Ctx } from '../ctx.ts';

/** One attempt of a task, as the handler sees it. */
export interface TaskRun {
  /** Number of the attempt, from 1. */
  attempt: number;
  /**
   * Aborted when the lease is lost, the time is up or the process stops. End soon: writes after that may be rejected.
   */
  signal: AbortSignal;
  /** Reports progress, which restarts `timeoutMs` and extends the lease. @throws when the lease is lost */
  heartbeat(): Promise<void>;
  /**
   * Completes the task. Call it inside the handler's own `inTransaction`: the effect and the end of the task are then
   * one commit, so the effect happens exactly once.
   * @throws when the lease is lost, which rolls the effect back
   */
  complete(ctx: Ctx): Promise<void>;
}

/**
 * Handler of one kind of task. `handle` can run more than once for a task (a process can die after the effect and
 * before the end is recorded) unless it calls `run.complete`. When it throws, the task is retried after a delay.
 */
export interface TaskHandler<Payload extends object = object> {
  kind: string;
  /** Largest number of concurrent tasks in one process. Default 5. */
  concurrency?: number;
  /**
   * Duration of the lease in milliseconds, after which another process takes over the tasks of a dead one. Running
   * tasks are extended automatically. Default 15,000.
   */
  leaseMs?: number;
  /** Time limit of one attempt in milliseconds, counted from its last `heartbeat()`. Default 300,000. */
  timeoutMs?: number;
  /**
   * Delays after the first, second … failure in seconds; the last one repeats. A jitter of up to a tenth (at most 1.5
   * s) is added. Default 5, 30, 120, 600.
   */
  retryDelaysSeconds?: readonly number[];
  handle(ctx: Ctx, payload: Payload, run: TaskRun): Promise<void>;
  /**
   * Called when the task fails permanently, in the transaction that marks it as failed. `error` contains no secrets.
   */
  failed?(ctx: Ctx, payload: Payload, error: string): Promise<void>;
}

const defaultRetryDelaysSeconds = [5, 30, 120, 600];
const maxJitterMs = 1_500;

/** Returns the milliseconds to wait after the given failed attempt (from 1). `random` is in [0, 1). */
export function retryDelayMs(delaysSeconds: readonly number[] | undefined, attempt: number, random: number): number {
  const delays = delaysSeconds ?? defaultRetryDelaysSeconds;
  const delayMs = (delays[Math.min(attempt, delays.length) - 1] ?? 0) * 1_000;
  return Math.round(delayMs + random * Math.min(delayMs / 10, maxJitterMs));
}
