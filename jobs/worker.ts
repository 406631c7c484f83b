import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Ctx } from '../src/core/ctx.ts';
import type { Sessions } from '../src/core/database/sessions.ts';
import type { Engine } from '../src/core/feature.ts';
import { describeError } from '../src/core/tasks/task-errors.ts';
import { listDueTimes } from '../src/core/tasks/task-leases.ts';
import { createTaskRunner } from '../src/core/tasks/task-runner.ts';
import { type TaskWaker, type WakeSource, writeTask } from '../src/core/tasks/tasks.ts';
import type { Telemetry } from '../src/core/process/telemetry.ts';
import { createDuePoll } from '../src/core/waiting/due-poll.ts';
import { type Schedule, startSchedule } from './agenda.ts';
import type { Job } from '../src/core/tasks/job.ts';
import { outboxKind } from '../src/core/outbox.ts';
import { createConditionalJobs } from './conditional-jobs.ts';
import { createWakeSender, listenForWakes } from './wake-channel.ts';
import { createWakeListeners } from './wake-listeners.ts';
import { createWakeTimers } from './wake-timers.ts';

/**
 * Runs the jobs of one process. Implements `ctx.ports.tasks` and `ctx.ports.wakes`, which are no-ops before the start
 * and after the stop.
 */
export interface Worker extends TaskWaker, WakeSource {
  start(): void;
  /** Checks that the schedule has started. @throws Error otherwise */
  requireSchedule(): void;
  /**
   * Stops claiming, waits up to `graceMs` for running tasks, then releases the rest. No task is lost or stays leased.
   */
  stop(graceMs: number): Promise<void>;
}

interface WorkerOptions {
  jobs: readonly Job[];
  engines?: readonly Engine[];
  /** Connects to a session of PostgreSQL, not through a pooler in transaction mode. */
  databaseUrl: string;
  mongodbUrl: string | null;
  /** Counts the sessions that receive notifications and read the schedule. */
  sessions?: Sessions;
  /** Traces each attempt of a task. */
  observe?: Pick<Telemetry, 'observeTask'> | undefined;
  /** False in a process that only enqueues tasks (ROLE=web) and notifies the others. */
  works: boolean;
  /** Returns whether there may be other processes to notify. Always true when omitted. */
  hasOthers?: () => boolean;
  /** Returns a new Ctx of the system actor that uses the pool. */
  newCtx: () => Ctx;
  log: Logger;
}

/** Longest delay that uses a timer of this process, because the schedule cannot fire that soon, in milliseconds. */
const nearMs = 1_500;
/** Kind of the notification that runs were added to the schedule. */
const scheduleKind = 'schedule';

export function createWorker(options: WorkerOptions): Worker {
  const { engines = [], newCtx, log, works, hasOthers = () => true } = options;
  const jobs = options.observe ? options.jobs.map(observed(options.observe)) : options.jobs;
  const conditional = createConditionalJobs(jobs, newCtx);
  const origin = randomUUID();
  const sender = createWakeSender({ sql: () => newCtx().sql, origin, hasOthers, log });
  const timers = createWakeTimers(wake);
  const listeners = createWakeListeners();
  const runners = new Map(jobs.map((job) => [job.kind, createTaskRunner(job, { newCtx, onPending: wake })]));
  let schedule: Schedule | undefined;
  let stopListening: (() => Promise<void>) | undefined;
  let started = false;
  // Needed because notifications can be lost: a process can die between its commit and its notification.
  const poll = createDuePoll(findDueTasks, (error) =>
    log.warn({ error: describeError(error) }, 'could not look for due tasks, will retry'),
  );

  function wakeHere(kind: string | null): void {
    listeners.notify(kind);
    if (!works) return;
    if (kind === null || kind === scheduleKind) schedule?.recheck();
    if (kind === null || kind === scheduleKind || runners.has(kind) || kind.startsWith(outboxKind)) poll.note();
    if (kind === null) for (const runner of runners.values()) runner.wake();
    else runners.get(kind)?.wake();
    for (const engine of engines) for (const own of engine.kinds) if (kind === null || kind === own) engine.wake(own);
  }

  function wake(kind: string, inMs = 0): void {
    if (!started) return;
    if (inMs > nearMs) {
      schedule?.in(kind, inMs);
      if (works && runners.has(kind)) poll.note();
    } else if (inMs > 0) timers.set(kind, inMs);
    else {
      wakeHere(kind);
      sender.send(kind);
    }
  }

  async function findDueTasks(): Promise<number | null> {
    const times = await listDueTimes(newCtx().sql, [...runners.keys()]);
    for (const { kind, inMs } of times) if (inMs <= 0) runners.get(kind)?.wake();
    const moments = [...times.map(({ inMs }) => inMs), ...(await conditional.enqueue())];
    return moments.length > 0 ? Math.min(...moments) : null;
  }

  async function onDue(kind: string, recurring: boolean): Promise<void> {
    if (recurring) await writeTask(newCtx(), kind, {}, { key: 'recurring' });
    else wake(kind);
  }

  const warnOfStart = (error: unknown) =>
    log.warn({ error: describeError(error) }, 'could not enqueue a startup task, the next scheduled run will do it');

  return {
    wake,
    onWake: (kind, listener) => listeners.onWake(kind, listener),
    requireSchedule: () => {
      if (!schedule?.isRunning()) throw new Error('the schedule has not started');
    },
    start: () => {
      started = true;
      const kindsAndTimes = [
        ...conditional.scheduled,
        ...engines.flatMap((engine) => engine.kinds.map((kind) => ({ kind }))),
      ];
      const onWritten = () => sender.send(scheduleKind);
      schedule = startSchedule({ ...options, jobs: kindsAndTimes, waits: works, onDue, onWritten });
      stopListening = listenForWakes({
        ...options,
        origin,
        onListening: () => {
          sender.greet();
          wakeHere(null);
        },
        onWake: (kind) => {
          sender.noteOther();
          wakeHere(kind);
        },
      });
      if (!works) return;
      for (const engine of engines) engine.start();
      for (const { kind, atStart } of jobs) if (atStart) void onDue(kind, true).catch(warnOfStart);
      poll.start();
    },
    stop: async (graceMs) => {
      if (!started) return;
      await Promise.all([
        poll.stop(),
        schedule?.stop(),
        stopListening?.(),
        ...[...runners.values()].map((runner) => runner.stop(graceMs)),
        ...(works ? engines.map((engine) => engine.stop(graceMs)) : []),
      ]);
      started = false;
      timers.clear();
      sender.stop();
    },
  };
}

const observed =
  ({ observeTask }: Pick<Telemetry, 'observeTask'>) =>
  (job: Job): Job => ({
    ...job,
    handle: (ctx, payload, run) => observeTask(job.kind, run.attempt, () => job.handle(ctx, payload, run)),
  });
