import { expect, test } from 'vitest';
import type { TaskHandler } from '../../src/core/task-handler.ts';
import { finishTask, retryTask } from '../../src/core/task-leases.ts';
import { inTransaction } from '../../src/core/transaction.ts';
import { aborted, handler, kind, openTaskHouse } from './task-house.ts';

const { clock, newCtx, query, enqueue, runDue, rows, claim } = openTaskHouse();

test('a holder whose lease ran out writes no outcome', async () => {
  await enqueue();
  const [late] = await claim('late');
  clock.advance(1_000);
  const [current] = await claim('current');
  if (!late || !current) throw new Error('not claimed');
  const { sql } = newCtx();
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
  expect(await query('select * from effects')).toEqual([]);
  clock.advance(60_000);
  await runDue(effect(false));
  expect(await query('select * from effects')).toEqual([{ task: 'done' }]);
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
