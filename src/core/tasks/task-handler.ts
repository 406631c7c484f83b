import type { Ctx } from '../ctx.ts';

/** One attempt at a task, as its handler sees it. */
export interface TaskRun {
  /** From 1. */
  attempt: number;
  /** Fires when the lease is lost, the time is up or the process stops: end soon, what you write then may be refused. */
  signal: AbortSignal;
  /** Reports progress, so that `timeoutMs` counts from now. @throws when the lease is lost */
  heartbeat(): Promise<void>;
  /**
   * Call it inside the handler's own `inTransaction`: its effect and the end of the task are then one commit, so the
   * effect happens exactly once. @throws when the lease is lost, which rolls the effect back
   */
  complete(ctx: Ctx): Promise<void>;
}

/**
 * How one kind of task is done. `handle` can run more than once for a task (a process may die after the effect and
 * before the end was noted) unless it calls `run.complete`. A throw is tried again after a delay.
 */
export interface TaskHandler<Payload extends object = object> {
  kind: string;
  /** At a time in one process. Default 5. */
  concurrency?: number;
  /** How soon after a process died its tasks are taken up again. Held by heartbeats meanwhile. Default 15,000. */
  leaseMs?: number;
  /** Of one attempt, counted from its last heartbeat() call. Default 300,000. */
  timeoutMs?: number;
  /** After the first failure, the second …; the last one repeats. Up to a tenth (at most 1.5 s) is added. Default 5, 30, 120, 600. */
  retryDelaysSeconds?: readonly number[];
  handle(ctx: Ctx, payload: Payload, run: TaskRun): Promise<void>;
  /** The task is given up: runs in the transaction that marks it as failed. `error` holds no secrets. */
  failed?(ctx: Ctx, payload: Payload, error: string): Promise<void>;
}

const defaultRetryDelaysSeconds = [5, 30, 120, 600];
const maxJitterMs = 1_500;

/** Milliseconds to wait after the given failed attempt (from 1). `random` is in [0, 1). */
export function retryDelayMs(delaysSeconds: readonly number[] | undefined, attempt: number, random: number): number {
  const delays = delaysSeconds ?? defaultRetryDelaysSeconds;
  const delayMs = (delays[Math.min(attempt, delays.length) - 1] ?? 0) * 1_000;
  return Math.round(delayMs + random * Math.min(delayMs / 10, maxJitterMs));
}
