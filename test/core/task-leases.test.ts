import { describe, expect, test } from 'vitest';
import type { TaskHandler } from '../../src/core/tasks/task-handler.ts';
import { finishTask, retryTask } from '../../src/core/tasks/task-leases.ts';
import { inTransaction } from '../../src/core/database/transaction.ts';
import { aborted, handler, kind, openTaskFixture } from './task-fixture.ts';

const { pass, newCtx, query, enqueue, runDue, rows, claim } = openTaskFixture();

describe('a task lease', () => {
  test('writes no outcome of a holder whose lease another has claimed', async () => {
    await enqueue();
    const [late] = await claim('late');
    await pass(1_000);
    const [current] = await claim('current');
    if (!late || !current) throw new Error('not claimed');
    const { sql } = newCtx();
    expect(await finishTask(sql, late)).toEqual({ state: 'lost' });
    expect(await retryTask(sql, late, { delayMs: 0, error: 'late' })).toEqual({ state: 'lost' });
    expect(await rows()).toMatchObject([{ state: 'running', attempts: 2, lease_token: 'current', last_error: null }]);
    expect(await finishTask(sql, current)).toEqual({ state: 'finished' });
  });

  test('commits an effect and the end of its task together, or neither when the lease was lost', async () => {
    await enqueue();
    const effect = (steal: boolean): TaskHandler => ({
      kind,
      handle: async (ctx, _payload, run) => {
        if (steal) {
          await pass(60_000);
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
    await pass(60_000);
    await runDue(effect(false));
    expect(await query('select * from effects')).toEqual([{ task: 'done' }]);
    expect(await rows()).toEqual([]);
  });

  test('retries a task whose completion was rolled back', async () => {
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

  test('releases running tasks at a stop, uncounted and due at once', async () => {
    await enqueue();
    const stop = new AbortController();
    await runDue(
      handler(async (_payload, run) => {
        stop.abort();
        await aborted(run.signal);
      }),
      stop.signal,
    );
    const [row] = await rows();
    expect(row).toMatchObject({ state: 'pending', attempts: 0 });
    expect(row?.due_in_ms).toBeLessThanOrEqual(0);
  });

  test('aborts an attempt that takes too long and retries it', async () => {
    await enqueue();
    await runDue(
      handler((_payload, run) => aborted(run.signal), {
        timeoutMs: 20,
        // The time limit of an attempt is checked when its lease is extended, three times per lease.
        leaseMs: 3_000,
      }),
    );
    expect(await rows()).toMatchObject([
      { state: 'pending', attempts: 1, last_error: 'Error: the task took too long' },
    ]);
  });
});
