import { expect, test } from 'vitest';
import { handler, openTaskHouse } from './task-house.ts';

const { clock, enqueue, runDue, rows } = openTaskHouse();

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
