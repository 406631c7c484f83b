import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TaskHandler, TaskRun } from '../../src/core/task-handler.ts';
import { claimTasks, finishTask, retryTask } from '../../src/core/task-leases.ts';
import { runDueTasks } from '../../src/core/task-runner.ts';
import { enqueueTask, type EnqueueOptions } from '../../src/core/tasks.ts';
import { inTransaction } from '../../src/core/transaction.ts';
import { createTestDatabase } from '../support/database.ts';
import { createHouse, createTestClock, type House } from '../support/house.ts';

const clock = createTestClock();
const wakes: { kind: string; at: Date | undefined }[] = [];
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let house: House;

beforeAll(async () => {
  database = await createTestDatabase();
  house = await createHouse({
    url: database.url,
    clock,
    ports: { tasks: { wake: (kind, at) => void wakes.push({ kind, at }) } },
  });
  await house.query('create table effects (task text not null)');
});
afterAll(async () => {
  await house?.close();
  await database?.drop();
});
beforeEach(async () => {
  await house.query('truncate tasks, effects restart identity');
  wakes.length = 0;
});

const kind = 'test.kind';
const enqueue = (payload: object = {}, options: EnqueueOptions = {}) =>
  enqueueTask(house.newCtx(), kind, payload, options);
const handler = (
  handle: (payload: { n?: number }, run: TaskRun) => Promise<void> | void,
  options: Partial<TaskHandler> = {},
): TaskHandler => ({
  kind,
  ...options,
  handle: async (_ctx, payload, run) => handle(payload as { n?: number }, run),
});
const runDue = (one: TaskHandler, signal?: AbortSignal) =>
  runDueTasks([one], { newCtx: house.newCtx, ...(signal && { signal }) });
const aborted = async (signal: AbortSignal) => {
  await once(signal, 'abort');
  signal.throwIfAborted();
};
const rows = () =>
  house.query<{
    state: string;
    attempts: number;
    run_at: Date;
    payload: object;
    last_error: string | null;
    lease_token: string | null;
  }>('select * from tasks order by id');
const claim = (leaseToken: string, leaseMs = 1_000) =>
  claimTasks(house.newCtx().sql, { kind, now: clock.now(), limit: 100, leaseToken, leaseMs });

test('a task that is done is gone', async () => {
  await enqueue({ n: 1 });
  const seen: object[] = [];
  await runDue(handler((payload) => void seen.push(payload)));
  expect(seen).toEqual([{ n: 1 }]);
  expect(await rows()).toEqual([]);
});

test('a task exists, and wakes the workers, exactly when its transaction commits', async () => {
  const refused = inTransaction(house.newCtx(), async (ctx) => {
    await enqueueTask(ctx, kind, {});
    throw new Error('rolled back');
  });
  await expect(refused).rejects.toThrow('rolled back');
  expect(await rows()).toEqual([]);
  expect(wakes).toEqual([]);

  const at = new Date(clock.now().getTime() + 60_000);
  await inTransaction(house.newCtx(), async (ctx) => {
    await enqueueTask(ctx, kind, {});
    await enqueueTask(ctx, kind, {}, { runAt: at });
    expect(wakes).toEqual([]);
  });
  expect(await rows()).toHaveLength(2);
  expect(wakes).toEqual([
    { kind, at: undefined },
    { kind, at },
  ]);
});

test('two workers never hold the same task', async () => {
  await Promise.all(Array.from({ length: 200 }, (_, n) => enqueue({ n })));
  const seen: number[] = [];
  const one = handler((payload) => void seen.push(payload.n ?? -1), { concurrency: 10 });
  await Promise.all([runDue(one), runDue(one)]);
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n));
});

test('no more tasks run at a time than the kind allows', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => enqueue({ n })));
  let running = 0;
  let most = 0;
  await runDue(
    handler(
      async () => {
        most = Math.max(most, ++running);
        await setImmediate();
        running--;
      },
      { concurrency: 3 },
    ),
  );
  expect(most).toBe(3);
  expect(await rows()).toEqual([]);
});

test('a task does not run before its time', async () => {
  await enqueue({}, { runAt: new Date(clock.now().getTime() + 10_000) });
  let runs = 0;
  const one = handler(() => void runs++);
  await runDue(one);
  expect(runs).toBe(0);
  clock.advance(10_000);
  await runDue(one);
  expect(runs).toBe(1);
});

test('a failed attempt is tried again after the delays of its kind, then given up with its reason', async () => {
  await enqueue({}, { maxAttempts: 3 });
  const waits: number[] = [];
  const attempts: number[] = [];
  const given: string[] = [];
  const one: TaskHandler = {
    ...handler((_payload, run) => {
      attempts.push(run.attempt);
      throw new Error('no luck, Bearer abcdef123456');
    }),
    retryDelaysSeconds: [10, 60],
    failed: async (_ctx, _payload, error) => void given.push(error),
  };
  for (let n = 0; n < 2; n++) {
    await runDue(one);
    const [row] = await rows();
    expect(row?.state).toBe('pending');
    const waitMs = (row?.run_at.getTime() ?? 0) - clock.now().getTime();
    waits.push(waitMs);
    clock.advance(waitMs - 1);
    await runDue(one);
    expect(attempts).toHaveLength(n + 1);
    clock.advance(1);
  }
  expect(waits[0]).toBeGreaterThanOrEqual(10_000);
  expect(waits[0]).toBeLessThanOrEqual(11_000);
  expect(waits[1]).toBeGreaterThanOrEqual(60_000);
  expect(waits[1]).toBeLessThanOrEqual(61_500);
  await runDue(one);
  clock.advance(3_600_000);
  await runDue(one);
  expect(attempts).toEqual([1, 2, 3]);
  expect(given).toEqual(['Error: no luck, [redacted]']);
  expect(await rows()).toMatchObject([
    { state: 'failed', attempts: 3, last_error: 'Error: no luck, [redacted]', lease_token: null },
  ]);
});

test('a task whose process dies on every attempt is given up and never runs again', async () => {
  await enqueue({}, { maxAttempts: 3 });
  await enqueue({ n: 1 });
  for (let n = 0; n < 3; n++) {
    expect(await claim(`dies ${n}`)).toContainEqual(expect.objectContaining({ attempts: n + 1, maxAttempts: 3 }));
    clock.advance(1_000);
  }
  let runs = 0;
  const given: string[] = [];
  const one: TaskHandler = {
    ...handler((payload) => void (runs += payload.n ?? 100)),
    failed: async (_ctx, _payload, error) => void given.push(error),
  };
  for (let n = 0; n < 4; n++) {
    await runDue(one);
    clock.advance(3_600_000);
  }
  expect(runs).toBe(1);
  expect(given).toHaveLength(1);
  expect(await rows()).toMatchObject([{ state: 'failed' }]);
});

test('a task whose failed-hook cannot end is given up without it', async () => {
  await enqueue({}, { maxAttempts: 1 });
  let calls = 0;
  const one: TaskHandler = {
    ...handler(() => {
      throw new Error('always');
    }),
    failed: async () => {
      calls++;
      throw new Error('this too');
    },
  };
  for (let n = 0; n < 10; n++) {
    await runDue(one);
    clock.advance(3_600_000);
  }
  expect(calls).toBeLessThanOrEqual(4);
  expect(await rows()).toMatchObject([{ state: 'failed' }]);
});

test('a holder whose lease ran out writes no outcome', async () => {
  await enqueue();
  const [late] = await claim('late');
  clock.advance(1_000);
  const [current] = await claim('current');
  if (!late || !current) throw new Error('not claimed');
  const { sql } = house.newCtx();
  expect(await finishTask(sql, late)).toEqual({ state: 'lost' });
  expect(await retryTask(sql, late, { runAt: clock.now(), error: 'late' })).toEqual({ state: 'lost' });
  expect(await rows()).toMatchObject([{ state: 'running', attempts: 2, lease_token: 'current', last_error: null }]);
  expect(await finishTask(sql, current)).toEqual({ state: 'finished' });
});

test('an effect and the end of its task are one commit, or none when the lease was lost', async () => {
  await enqueue();
  const effect = (steal: boolean): TaskHandler => ({
    kind,
    handle: async (ctx, _payload, run) => {
      if (steal) {
        clock.advance(60_000);
        await claim('thief', 60_000);
      }
      await inTransaction(ctx, async (inner) => {
        await inner.sql({ name: 'test_effect', text: `insert into effects values ('done')` });
        await run.complete(inner);
      });
    },
  });
  await runDue(effect(true));
  expect(await house.query('select * from effects')).toEqual([]);
  clock.advance(60_000);
  await runDue(effect(false));
  expect(await house.query('select * from effects')).toEqual([{ task: 'done' }]);
  expect(await rows()).toEqual([]);
});

test('a completion that is rolled back leaves the task to be tried again', async () => {
  await enqueue();
  await runDue({
    kind,
    handle: (ctx, _payload, run) =>
      inTransaction(ctx, async (inner) => {
        await run.complete(inner);
        throw new Error('after all not');
      }),
  });
  expect(await rows()).toMatchObject([{ state: 'pending', attempts: 1, last_error: 'Error: after all not' }]);
});

test('a key has one live task: asking again takes the newer payload and the earlier time', async () => {
  const at = (ms: number) => new Date(clock.now().getTime() + ms);
  await enqueue({ n: 1 }, { key: 'k', runAt: at(5_000) });
  await enqueue({ n: 2 }, { key: 'k', runAt: at(9_000) });
  await enqueue({ n: 3 }, { key: 'other' });
  expect(await rows()).toMatchObject([{ payload: { n: 2 }, run_at: at(5_000) }, { payload: { n: 3 } }]);
  await enqueue({ n: 4 }, { key: 'k' });
  expect((await rows())[0]).toMatchObject({ payload: { n: 4 }, run_at: clock.now() });
});

test('a key that is asked for while it runs is run once more, never twice at a time', async () => {
  await enqueue({ n: 1 }, { key: 'k' });
  const seen: (number | undefined)[] = [];
  let running = 0;
  const one = handler(
    async (payload) => {
      expect(++running).toBe(1);
      seen.push(payload.n);
      if (payload.n === 1) {
        await enqueue({ n: 2 }, { key: 'k' });
        await enqueue({ n: 3 }, { key: 'k' });
        await runDue(handler(() => void seen.push(-1)));
      }
      running--;
    },
    { concurrency: 2 },
  );
  await runDue(one);
  await runDue(one);
  expect(seen).toEqual([1, 3]);
  expect(await rows()).toEqual([]);
});

test('asking again does not shorten the delay of a retry', async () => {
  await enqueue({}, { key: 'k' });
  await runDue(
    handler(
      () => {
        throw new Error('no');
      },
      { retryDelaysSeconds: [10] },
    ),
  );
  await enqueue({}, { key: 'k' });
  const [row] = await rows();
  expect(row?.run_at.getTime()).toBeGreaterThanOrEqual(clock.now().getTime() + 10_000);
});

test('enqueueing a key while its task ends loses nothing', async () => {
  let last = 0;
  const one = handler((payload) => void (last = payload.n ?? 0));
  for (let n = 1; n <= 60; n++) {
    await Promise.all([enqueue({ n }, { key: 'k' }), runDue(one)]);
    await runDue(one);
    expect(last).toBe(n);
  }
  expect(await rows()).toEqual([]);
});

test('a stop hands what runs back, uncounted, for others to start at once', async () => {
  await enqueue();
  const stop = new AbortController();
  await runDue(
    handler(async (_payload, run) => {
      stop.abort();
      await aborted(run.signal);
    }),
    stop.signal,
  );
  expect(await rows()).toMatchObject([{ state: 'pending', attempts: 0, run_at: clock.now() }]);
});

test('an attempt that takes too long is told to end and tried again', async () => {
  await enqueue();
  await runDue(
    handler((_payload, run) => aborted(run.signal), {
      timeoutMs: 20,
      leaseMs: 60,
    }),
  );
  expect(await rows()).toMatchObject([{ state: 'pending', attempts: 1, last_error: 'Error: the task took too long' }]);
});
