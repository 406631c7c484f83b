import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../src/core/tasks/job.ts';
import { createWorker, type Worker } from '../../jobs/worker.ts';
import { startSchedule, type Schedule } from '../../jobs/agenda.ts';
import { writeTask, type EnqueueOptions, type TaskWaker } from '../../src/core/tasks/tasks.ts';
import { inTransaction } from '../../src/core/database/transaction.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createHarness, type Harness } from '../support/harness.ts';

/** The guarantees of jobs on any store of Agenda. `openStore` returns the URL of the store, `null` for PostgreSQL. */
export function describeJobs(openStore: () => Promise<{ mongodbUrl: string | null; close(): Promise<void> }>): void {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let store: Awaited<ReturnType<typeof openStore>>;
  const cleanups: (() => Promise<void>)[] = [];
  let instances: { harness: Harness; worker: Worker }[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    store = await openStore();
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });
  beforeEach(() => {
    instances = [];
  });
  afterEach(async () => {
    for (const { worker } of instances) await worker.stop(1_000);
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  /** A process of the service, as far as jobs are concerned. */
  async function startInstance(jobs: readonly Job[], works = true) {
    const tasks: TaskWaker = { wake: (kind, at) => worker.wake(kind, at) };
    const harness = await createHarness({ url: database.url, ports: { tasks } });
    cleanups.push(() => harness.close());
    const worker = createWorker({
      jobs,
      databaseUrl: database.url,
      mongodbUrl: store.mongodbUrl,
      works,
      newCtx: harness.newCtx,
      log: harness.log,
    });
    worker.start();
    instances.push({ harness, worker });
    const enqueue = (kind: string, payload: object = {}, options: EnqueueOptions = {}) =>
      inTransaction(harness.newCtx(), (ctx) => writeTask(ctx, kind, payload, options));
    return { harness, worker, enqueue };
  }

  let lastKind = 0;
  const newKind = () => `test.${++lastKind}`;

  /** A job that records its runs. */
  function recorder(options: Partial<Job> & { kind?: string } = {}) {
    const runs: { payload: object; at: number }[] = [];
    const job: Job = {
      kind: options.kind ?? newKind(),
      ...options,
      handle: async (ctx, payload, run) => {
        runs.push({ payload, at: Date.now() });
        await options.handle?.(ctx, payload, run);
      },
    };
    return { job, kind: job.kind, runs };
  }

  const isEmpty = async (harness: Harness, kind: string) =>
    (await harness.query('select id from tasks where kind = $1', [kind])).length === 0;

  test('starts a task within 100 ms of its commit when the service is idle', async () => {
    const { job, kind, runs } = recorder();
    const { enqueue } = await startInstance([job]);
    const delays: number[] = [];
    for (let n = 0; n < 10; n++) {
      await enqueue(kind, { n });
      const committedAt = Date.now();
      await eventually(() => runs.length > n);
      delays.push((runs[n]?.at ?? 0) - committedAt);
    }
    // The third fastest: a busy machine delays some, polling would delay nearly all.
    expect(delays.toSorted((a, b) => a - b)[2]).toBeLessThan(100);
  });

  test('starts a task of a web process on a worker within 100 ms', async () => {
    const { job, kind, runs } = recorder();
    await startInstance([job]);
    const web = await startInstance([job], false);
    await web.enqueue(kind, { warm: true });
    await eventually(() => runs.length > 0);
    const delays: number[] = [];
    for (let n = 1; n <= 10; n++) {
      await web.enqueue(kind, { n });
      const committedAt = Date.now();
      await eventually(() => runs.length > n);
      delays.push((runs[n]?.at ?? 0) - committedAt);
    }
    expect(delays.toSorted((a, b) => a - b)[2]).toBeLessThan(100);
  });

  test('runs a delayed task at its time, on another process if its own has stopped', async () => {
    const { job, kind, runs } = recorder();
    const first = await startInstance([job]);
    const delayMs = 2_200;
    const runAt = Date.now() + delayMs;
    await first.enqueue(kind, {}, { delayMs });
    await first.worker.stop(0);
    await startInstance([job]);
    await eventually(() => runs.length > 0);
    const lateMs = (runs[0]?.at ?? 0) - runAt;
    expect(lateMs).toBeGreaterThanOrEqual(-5);
    expect(lateMs).toBeLessThan(1_500);
    expect(runs).toHaveLength(1);
  });

  test('retries a failed task after its delay', async () => {
    const { job, kind, runs } = recorder({
      retryDelaysSeconds: [1],
      handle: async (_ctx, _payload, run) => {
        if (run.attempt === 1) throw new Error('not yet');
      },
    });
    const { harness, enqueue } = await startInstance([job]);
    await enqueue(kind);
    await eventually(() => runs.length === 2);
    const waitedMs = (runs[1]?.at ?? 0) - (runs[0]?.at ?? 0);
    expect(waitedMs).toBeGreaterThanOrEqual(1_000);
    expect(waitedMs).toBeLessThan(2_500);
    await eventually(() => isEmpty(harness, kind));
  });

  test('shares tasks between two processes and runs each once', async () => {
    const kind = newKind();
    const [a, b] = [recorder({ kind }), recorder({ kind })];
    const first = await startInstance([a.job]);
    await startInstance([b.job]);
    const payloads = Array.from({ length: 200 }, (_, n) => ({ n }));
    await Promise.all(payloads.map((payload) => first.enqueue(kind, payload)));
    await eventually(() => isEmpty(first.harness, kind));
    const done = [...a.runs, ...b.runs].map((run) => run.payload as { n: number });
    expect(done.toSorted((x, y) => x.n - y.n)).toEqual(payloads);
  });

  test('runs a recurring job once an interval across processes and restarts', async () => {
    const everyMs = 1_500;
    const kind = newKind();
    const [a, b, c] = [recorder({ kind, everyMs }), recorder({ kind, everyMs }), recorder({ kind, everyMs })];
    const first = await startInstance([a.job]);
    await startInstance([b.job]);
    const runs = () => [...a.runs, ...b.runs, ...c.runs].map((run) => run.at).toSorted((x, y) => x - y);
    await eventually(() => runs().length >= 2);
    await first.worker.stop(0);
    await startInstance([c.job]);
    await eventually(() => runs().length >= 4);
    // A run may be late, and the next one on time; two in every interval would be over in half the time.
    const [one = 0, , , four = 0] = runs();
    expect(four - one).toBeGreaterThan(2 * everyMs);
    expect(four - one).toBeLessThan(6 * everyMs);
  });

  test('stops after running tasks have ended, starts no other and releases its leases', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { job, kind, runs } = recorder({ concurrency: 1, handle: () => gate });
    const { harness, worker, enqueue } = await startInstance([job]);
    await enqueue(kind, { n: 1 });
    await eventually(() => runs.length === 1);
    await enqueue(kind, { n: 2 });
    const stopped = worker.stop(5_000);
    open();
    await stopped;
    expect(runs).toHaveLength(1);
    const rest = await harness.query('select state, payload, attempts from tasks where kind = $1', [kind]);
    expect(rest).toEqual([{ state: 'pending', payload: { n: 2 }, attempts: 0 }]);
    await startInstance([job]);
    await eventually(() => runs.length === 2);
  });

  test('continues after it has lost every connection to PostgreSQL', async () => {
    const { job, kind, runs } = recorder();
    const { harness, enqueue } = await startInstance([job]);
    await enqueue(kind);
    await eventually(() => runs.length === 1);
    await harness.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await eventually(() =>
      enqueue(kind).then(
        () => true,
        () => false,
      ),
    );
    await eventually(() => runs.length === 2);
    await eventually(() => isEmpty(harness, kind));
  });

  test('fires a scheduled run exactly once across processes', async () => {
    const { job, kind } = recorder();
    const { harness } = await startInstance([]);
    const seen: number[] = [];
    const open = (): Schedule =>
      startSchedule({
        jobs: [job],
        databaseUrl: database.url,
        mongodbUrl: store.mongodbUrl,
        waits: true,
        onDue: async () => void seen.push(Date.now()),
        onWritten: () => undefined,
        log: harness.log,
      });
    const schedules = [open(), open()];
    const at = Math.ceil((Date.now() + 2_000) / 500) * 500;
    // Both calls are rounded up to the same half second.
    schedules[0]?.in(kind, at - 100 - Date.now());
    schedules[0]?.in(kind, at - 100 - Date.now());
    await eventually(() => seen.length > 0);
    await Promise.all(schedules.map((schedule) => schedule.stop()));
    expect(seen).toHaveLength(1);
    expect((seen[0] ?? 0) - at).toBeLessThan(1_500);
  });
}
