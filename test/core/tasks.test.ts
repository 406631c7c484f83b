import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { TaskHandler } from '../../src/core/task-handler.ts';
import { enqueueTask } from '../../src/core/tasks.ts';
import { inTransaction } from '../../src/core/transaction.ts';
import { handler, kind, openTaskHouse } from './task-house.ts';

const { clock, wakes, newCtx, enqueue, runDue, rows, claim } = openTaskHouse();

test('a task that is done is gone', async () => {
  await enqueue({ n: 1 });
  const seen: object[] = [];
  await runDue(handler((payload) => void seen.push(payload)));
  expect(seen).toEqual([{ n: 1 }]);
  expect(await rows()).toEqual([]);
});

test('a task exists, and wakes the workers, exactly when its transaction commits', async () => {
  const refused = inTransaction(newCtx(), async (ctx) => {
    await enqueueTask(ctx, kind, {});
    throw new Error('rolled back');
  });
  await expect(refused).rejects.toThrow('rolled back');
  expect(await rows()).toEqual([]);
  expect(wakes).toEqual([]);

  const at = new Date(clock.now().getTime() + 60_000);
  await inTransaction(newCtx(), async (ctx) => {
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
