import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Ctx } from '../src/core/ctx.ts';
import { describeError } from '../src/core/task-errors.ts';
import { listDueKinds } from '../src/core/task-leases.ts';
import { createTaskRunner } from '../src/core/task-runner.ts';
import { enqueueTask, type TaskWaker, type WakeSource } from '../src/core/tasks.ts';
import { type Schedule, startSchedule } from './agenda.ts';
import type { Job } from './job.ts';
import { createWakeSender, listenForWakes } from './wake-channel.ts';

/** The jobs of one process: `ctx.ports.tasks` and `ctx.ports.wakes`, which do no harm before the start and after the stop. */
export interface Worker extends TaskWaker, WakeSource {
  start(): void;
  /** Claims no more, waits up to `graceMs` for what runs, hands back the rest. Nothing is lost and nothing is left leased. */
  stop(graceMs: number): Promise<void>;
}

/** Work that claims rows of its own and runs by itself: the worker only tells it when there may be some. */
export interface Engine {
  kinds: readonly string[];
  start(): void;
  wake(kind: string): void;
  stop(graceMs: number): Promise<void>;
}

interface WorkerOptions {
  jobs: readonly Job[];
  engines?: readonly Engine[];
  databaseUrl: string;
  mongodbUrl: string | null;
  /** False in a process that only enqueues (ROLE=web): its wakes go to the others. */
  works: boolean;
  /** A fresh Ctx of the system actor, on the pool. */
  newCtx: () => Ctx;
  log: Logger;
}

/** The look at the table that nothing can make superfluous: a process can die between its commit and its wake. */
const sweepMs = 1_000;
/** What is due within the schedule's own grain is timed here. */
const nearMs = 1_500;
const grainMs = 20;

export function createWorker(options: WorkerOptions): Worker {
  const { jobs, engines = [], newCtx, log, works } = options;
  const kinds = jobs.map((job) => job.kind);
  const origin = randomUUID();
  const sender = createWakeSender(() => newCtx().sql, origin, log);
  const timers = new Map<string, NodeJS.Timeout>();
  const listeners = new Map<string, Set<() => void>>();
  const runners = new Map(jobs.map((job) => [job.kind, createTaskRunner(job, { newCtx, onPending: wake })]));
  let schedule: Schedule | undefined;
  let stopListening: (() => Promise<void>) | undefined;
  let sweepTimer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  let started = false;

  function wakeHere(kind: string | null): void {
    const told = kind === null ? [...listeners.values()] : [listeners.get(kind) ?? []];
    for (const ones of told) for (const listener of ones) listener();
    if (!works) return;
    if (kind === null) for (const runner of runners.values()) runner.wake();
    else runners.get(kind)?.wake();
    for (const engine of engines) for (const own of engine.kinds) if (kind === null || kind === own) engine.wake(own);
  }

  function wake(kind: string, at?: Date): void {
    if (!started) return;
    // Timers run on real time, tasks on the house's clock: what they share is how long it is until then.
    const inMs = at ? at.getTime() - newCtx().clock.now().getTime() : 0;
    if (inMs > nearMs) schedule?.at(kind, new Date(Date.now() + inMs));
    else if (inMs > 0) wakeIn(kind, inMs);
    else {
      wakeHere(kind);
      sender.send(kind);
    }
  }

  // One timer for all rows of a kind that are due within the same few milliseconds.
  function wakeIn(kind: string, inMs: number): void {
    const moment = Math.ceil((Date.now() + inMs) / grainMs) * grainMs;
    const name = `${kind} ${moment}`;
    if (timers.has(name)) return;
    const timer = setTimeout(() => {
      timers.delete(name);
      wake(kind);
    }, moment - Date.now());
    timers.set(name, timer);
  }

  async function sweep(): Promise<void> {
    try {
      const { sql, clock } = newCtx();
      for (const kind of await listDueKinds(sql, kinds, clock.now())) wakeHere(kind);
    } catch (error) {
      log.warn({ error: describeError(error) }, 'could not look for due tasks');
    }
  }

  async function onDue(kind: string, recurring: boolean): Promise<void> {
    if (recurring) await enqueueTask(newCtx(), kind, {}, { key: 'recurring' });
    else wake(kind);
  }

  const warnOfStart = (error: unknown) =>
    log.warn({ error: describeError(error) }, 'could not write a task of the start, it comes at its time');

  function onWake(kind: string, listener: () => void): () => void {
    const ones = listeners.get(kind) ?? new Set();
    listeners.set(kind, ones.add(listener));
    return () => {
      ones.delete(listener);
      if (ones.size === 0 && listeners.get(kind) === ones) listeners.delete(kind);
    };
  }

  return {
    wake,
    onWake,
    start: () => {
      started = true;
      const moments = [...jobs, ...engines.flatMap((engine) => engine.kinds.map((kind) => ({ kind })))];
      schedule = startSchedule({ ...options, jobs: moments, waits: works, onDue });
      stopListening = listenForWakes({ databaseUrl: options.databaseUrl, origin, onWake: wakeHere, log });
      if (!works) return;
      for (const engine of engines) engine.start();
      for (const { kind, atStart } of jobs) if (atStart) void onDue(kind, true).catch(warnOfStart);
      sweepTimer = setInterval(() => {
        sweeping ??= sweep().finally(() => (sweeping = undefined));
      }, sweepMs);
    },
    stop: async (graceMs) => {
      if (!started) return;
      clearInterval(sweepTimer);
      await Promise.all([
        schedule?.stop(),
        stopListening?.(),
        ...[...runners.values()].map((runner) => runner.stop(graceMs)),
        ...(works ? engines.map((engine) => engine.stop(graceMs)) : []),
      ]);
      started = false;
      for (const timer of timers.values()) clearTimeout(timer);
      await sweeping;
      sender.stop();
    },
  };
}
