import { setTimeout as sleep } from 'node:timers/promises';
import { Agenda, type Job as AgendaJob } from 'agenda';
import type { Logger } from 'pino';
import type { Sessions } from '../src/core/database/sessions.ts';
import { waitUntil } from '../src/core/waiting/wait-until.ts';
import { type AgendaAlarm, createAgendaAlarm } from './agenda-alarm.ts';
import { type AgendaStore, connectedBackend, openAgendaStore } from './agenda-store.ts';
import type { Job } from '../src/core/tasks/job.ts';

/**
 * Fires at scheduled times, each time in exactly one instance, even across restarts. The work itself is stored in
 * PostgreSQL.
 */
export interface Schedule {
  /** Calls `onDue` for the kind in `inMs`, rounded up to half a second. It is stored, so it outlives this process. */
  in(kind: string, inMs: number): void;
  /** Notes that another process has added runs. */
  recheck(): void;
  /** Returns true once the store has been reached and the recurring jobs are scheduled. */
  isRunning(): boolean;
  /** Stops immediately. Other instances fire runs that become due after that. */
  stop(): Promise<void>;
}

interface ScheduleOptions {
  jobs: readonly Pick<Job, 'kind' | 'everyMs'>[];
  databaseUrl: string;
  mongodbUrl: string | null;
  sessions?: Sessions;
  /** False in a process that only writes to the schedule and leaves firing to others. */
  waits: boolean;
  /** Called when a time is due. `recurring`: it is due because of `everyMs`. After a rejection it fires again. */
  onDue: (kind: string, recurring: boolean) => Promise<void>;
  /** Called after a run was added: other processes have to `recheck`. */
  onWritten: () => void;
  log: Logger;
}

/** Agenda does not poll by itself (see agenda-alarm.ts), but sets a timer of half this interval for each run. */
const processEveryMs = 10_000;
/** Longest delay of a run whose process died after locking it, in milliseconds. */
const lockLifetimeMs = 5_000;
const roundToMs = 500;
const reconnectMs = 1_000;
const finishMs = 2_000;
const removalMs = 20;

/** Starts Agenda as soon as its store responds. Until then only recurring jobs and delayed wake-ups are missing. */
export function startSchedule(options: ScheduleOptions): Schedule {
  const { log, onWritten } = options;
  const stopped = new AbortController();
  const written = new Set<string>();
  let running: RunningAgenda | undefined;
  const before: { kind: string; at: Date }[] = [];

  const write = (kind: string, at: Date): void => {
    if (!running) {
      if (before.length < 1_000) before.push({ kind, at });
      return;
    }
    const moment = Math.ceil(at.getTime() / roundToMs) * roundToMs;
    const name = `${kind} ${moment}`;
    if (written.has(name)) return;
    written.add(name);
    setTimeout(() => written.delete(name), Math.min(Math.max(moment - Date.now(), 0), 60_000)).unref();
    const { agenda, alarm } = running;
    agenda.schedule(new Date(moment), kind, {}).then(
      () => {
        alarm.note();
        onWritten();
      },
      (error: unknown) => {
        written.delete(name);
        log.warn({ err: error, task: kind }, 'could not write to the schedule');
      },
    );
  };

  const started = (async () => {
    while (!stopped.signal.aborted) {
      try {
        running = await startAgenda(options);
        for (const { kind, at } of before.splice(0)) write(kind, at);
        return;
      } catch (error) {
        log.warn({ err: error }, 'the schedule cannot start yet, will retry');
        await sleep(reconnectMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
  })();

  return {
    // Agenda uses the clock of each process. A wrong clock only causes early or late wake-ups, because workers also
    // poll the table.
    in: (kind, inMs) => write(kind, new Date(Date.now() + inMs)),
    recheck: () => running?.alarm.note(),
    isRunning: () => running !== undefined,
    stop: async () => {
      stopped.abort();
      await started;
      if (running) await stopAgenda(running);
    },
  };
}

interface RunningAgenda {
  agenda: Agenda;
  store: AgendaStore;
  alarm: AgendaAlarm;
  runningCount(): number;
}

async function startAgenda(options: ScheduleOptions): Promise<RunningAgenda> {
  const { jobs, waits, onDue, log } = options;
  const store = await openAgendaStore(options);
  try {
    const alarm = createAgendaAlarm({
      ...store,
      kinds: jobs.map(({ kind }) => kind),
      lockMs: lockLifetimeMs,
      onError: (error) => log.warn({ err: error }, 'could not read the schedule, will retry'),
    });
    const agenda = new Agenda({
      backend: connectedBackend(alarm.repository),
      notificationChannel: alarm.channel,
      processEvery: processEveryMs,
      maxConcurrency: 50,
      lockLimit: 200,
      defaultLockLimit: 20,
      defaultLockLifetime: lockLifetimeMs,
      removeOnComplete: true,
    });
    agenda.on('error', (error: Error) => log.warn({ err: error }, 'the schedule reports an error'));
    agenda.on('fail', (error: Error, job: AgendaJob) =>
      log.warn({ err: error, task: job.attrs.name }, 'a scheduled run failed'),
    );
    let count = 0;
    const running = { agenda, store, alarm, runningCount: () => count };
    agenda.on('start', () => count++);
    // Agenda removes the row of a run after it has emitted this event.
    agenda.on('complete', () =>
      setTimeout(() => {
        count--;
        alarm.note();
      }, removalMs),
    );
    for (const { kind, everyMs } of jobs) {
      const backoff = ({ attempt }: { attempt: number }) => Math.min(1_000 * 2 ** attempt, everyMs ?? 60_000);
      // oxlint-disable-next-line typescript/no-misused-promises -- the linter sees the overload with a callback only
      agenda.define(kind, async (job: AgendaJob) => onDue(kind, Boolean(job.attrs.repeatInterval)), { backoff });
    }
    if (!waits) return running;
    for (const { kind, everyMs } of jobs) if (everyMs) await agenda.every(everyMs, kind);
    await removeStaleRuns(agenda, jobs);
    await agenda.start();
    alarm.start();
    return running;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Removes runs of processes that died between a run and its removal, and intervals that jobs had in older versions. */
async function removeStaleRuns(agenda: Agenda, jobs: ScheduleOptions['jobs']): Promise<void> {
  const withoutInterval = new Set(jobs.filter(({ everyMs }) => !everyMs).map(({ kind }) => kind));
  const { jobs: stored } = await agenda.queryJobs();
  const remains = stored.filter(({ type, state, name }) =>
    type === 'single' ? withoutInterval.has(name) : type === 'normal' && state === 'completed',
  );
  const ids = remains.flatMap(({ _id }) => _id ?? []);
  if (ids.length > 0) await agenda.cancel({ ids });
}

// drain() would leave locked but unstarted runs locked; stop() unlocks them but does not wait for running ones.
async function stopAgenda(running: RunningAgenda): Promise<void> {
  await running.alarm.stop();
  await running.agenda.stop(false).catch(() => undefined);
  await waitUntil(() => running.runningCount() === 0, { timeoutMs: finishMs, everyMs: 10 });
  await running.store.close();
}
