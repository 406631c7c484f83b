import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { TaskHandler } from '../../src/core/tasks/task-handler.ts';
import { writeTask } from '../../src/core/tasks/tasks.ts';
import { inTransaction } from '../../src/core/database/transaction.ts';
import { handler, kind, openTaskFixture } from './task-fixture.ts';

const { wakes, pass, newCtx, enqueue, runDue, rows, claim } = openTaskFixture();

describe('the task queue', () => {
  test('deletes a task when it is done', async () => {
    await enqueue({ n: 1 });
    const seen: object[] = [];
    await runDue(handler((payload) => void seen.push(payload)));
    expect(seen).toEqual([{ n: 1 }]);
    expect(await rows()).toEqual([]);
  });

  test('writes a task and wakes the workers exactly when the transaction commits', async () => {
    const refused = inTransaction(newCtx(), async (ctx) => {
      await writeTask(ctx, kind, {});
      throw new Error('rolled back');
    });
    await expect(refused).rejects.toThrow('rolled back');
    expect(await rows()).toEqual([]);
    expect(wakes).toEqual([]);

    await inTransaction(newCtx(), async (ctx) => {
      await writeTask(ctx, kind, {});
      await writeTask(ctx, kind, {}, { delayMs: 60_000 });
      expect(wakes).toEqual([]);
    });
    expect(await rows()).toHaveLength(2);
    expect(wakes).toEqual([
      { kind, inMs: 0 },
      { kind, inMs: 60_000 },
    ]);
  });

  test('gives each task to one of two workers', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, n) => enqueue({ n })));
    const seen: number[] = [];
    const one = handler((payload) => void seen.push(payload.n ?? -1), { concurrency: 10 });
    await Promise.all([runDue(one), runDue(one)]);
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  test('runs no more tasks at a time than the kind allows', async () => {
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

  test('does not run a task before it is due', async () => {
    await enqueue({}, { delayMs: 10_000 });
    let runs = 0;
    const one = handler(() => void runs++);
    await runDue(one);
    expect(runs).toBe(0);
    await pass(10_000);
    await runDue(one);
    expect(runs).toBe(1);
  });

  test('retries a failed attempt after the delays of its kind, then marks the task as failed with its reason', async () => {
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
      const waitMs = row?.due_in_ms ?? 0;
      waits.push(waitMs);
      await pass(waitMs / 2);
      await runDue(one);
      expect(attempts).toHaveLength(n + 1);
      await pass(waitMs / 2 + 1);
    }
    // The rows were read slightly after they were written.
    expect(waits[0]).toBeGreaterThan(9_000);
    expect(waits[0]).toBeLessThanOrEqual(11_000);
    expect(waits[1]).toBeGreaterThan(59_000);
    expect(waits[1]).toBeLessThanOrEqual(61_500);
    await runDue(one);
    await pass(3_600_000);
    await runDue(one);
    expect(attempts).toEqual([1, 2, 3]);
    expect(given).toEqual(['Error: no luck, [redacted]']);
    expect(await rows()).toMatchObject([
      { state: 'failed', attempts: 3, last_error: 'Error: no luck, [redacted]', lease_token: null },
    ]);
  });

  test('marks a task as failed when its process dies on every attempt, and never runs it again', async () => {
    await enqueue({}, { maxAttempts: 3 });
    await enqueue({ n: 1 });
    for (let n = 0; n < 3; n++) {
      expect(await claim(`dies ${n}`)).toContainEqual(expect.objectContaining({ attempts: n + 1, maxAttempts: 3 }));
      await pass(1_000);
    }
    let runs = 0;
    const given: string[] = [];
    const one: TaskHandler = {
      ...handler((payload) => void (runs += payload.n ?? 100)),
      failed: async (_ctx, _payload, error) => void given.push(error),
    };
    for (let n = 0; n < 4; n++) {
      await runDue(one);
      await pass(3_600_000);
    }
    expect(runs).toBe(1);
    expect(given).toHaveLength(1);
    expect(await rows()).toMatchObject([{ state: 'failed' }]);
  });

  test('marks a task as failed without its failed hook when the hook keeps failing', async () => {
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
      await pass(3_600_000);
    }
    expect(calls).toBeLessThanOrEqual(4);
    expect(await rows()).toMatchObject([{ state: 'failed' }]);
  });
});
