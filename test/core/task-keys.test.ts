import { describe, expect, test } from 'vitest';
import { handler, openTaskFixture } from './task-fixture.ts';

const { enqueue, runDue, rows } = openTaskFixture();

describe('a task key', () => {
  test('has one live task, with the newest payload and the earliest time', async () => {
    await enqueue({ n: 1 }, { key: 'k', delayMs: 5_000 });
    await enqueue({ n: 2 }, { key: 'k', delayMs: 9_000 });
    await enqueue({ n: 3 }, { key: 'other' });
    const [first, second] = await rows();
    expect([first?.payload, second?.payload]).toEqual([{ n: 2 }, { n: 3 }]);
    expect(first?.due_in_ms).toBeLessThanOrEqual(5_000);
    await enqueue({ n: 4 }, { key: 'k' });
    const [again] = await rows();
    expect(again?.payload).toEqual({ n: 4 });
    expect(again?.due_in_ms).toBeLessThanOrEqual(0);
  });

  test('runs once more, never concurrently, when it was enqueued during a run', async () => {
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

  test('keeps the delay of a retry when it is enqueued again', async () => {
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
    expect(row?.due_in_ms).toBeGreaterThan(9_000);
  });

  test('loses nothing when it is enqueued while its task ends', async () => {
    let last = 0;
    const one = handler((payload) => void (last = payload.n ?? 0));
    for (let n = 1; n <= 60; n++) {
      await Promise.all([enqueue({ n }, { key: 'k' }), runDue(one)]);
      await runDue(one);
      expect(last).toBe(n);
    }
    expect(await rows()).toEqual([]);
  });
});
