import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { TaskHandler, TaskRun } from '../../src/core/task-handler.ts';
import { claimTasks } from '../../src/core/task-leases.ts';
import { runDueTasks } from '../../src/core/task-runner.ts';
import { enqueueTask, type EnqueueOptions } from '../../src/core/tasks.ts';
import { createTestClock, type House } from '../support/house.ts';
import { openHouse } from '../support/open-house.ts';

export const kind = 'test.kind';

interface TaskRow {
  state: string;
  attempts: number;
  run_at: Date;
  payload: object;
  last_error: string | null;
  lease_token: string | null;
}

/** A database with nothing but tasks, none of them at the beginning of a test, and a clock that the test moves. */
export function openTaskHouse() {
  const clock = createTestClock();
  const wakes: { kind: string; at: Date | undefined }[] = [];
  let house: House;
  beforeAll(async () => {
    house = await openHouse({
      clock,
      ports: { tasks: { wake: (of, at) => void wakes.push({ kind: of, at }) } },
    });
    await house.query('create table effects (task text not null)');
  });
  afterAll(() => house?.close());
  beforeEach(async () => {
    await house.query('truncate tasks, effects restart identity');
    wakes.length = 0;
  });
  const newCtx = () => house.newCtx();
  return {
    clock,
    /** Of the workers, since the test began. */
    wakes,
    newCtx,
    query: (statement: string) => house.query(statement),
    enqueue: (payload: object = {}, options: EnqueueOptions = {}) => enqueueTask(newCtx(), kind, payload, options),
    runDue: (one: TaskHandler, signal?: AbortSignal) => runDueTasks([one], { newCtx, ...(signal && { signal }) }),
    rows: () => house.query<TaskRow>('select * from tasks order by id'),
    claim: (leaseToken: string, leaseMs = 1_000) =>
      claimTasks(newCtx().sql, { kind, now: clock.now(), limit: 100, leaseToken, leaseMs }),
  };
}

export const handler = (
  handle: (payload: { n?: number }, run: TaskRun) => Promise<void> | void,
  options: Partial<TaskHandler> = {},
): TaskHandler => ({
  kind,
  ...options,
  handle: async (_ctx, payload, run) => handle(payload as { n?: number }, run),
});

export async function aborted(signal: AbortSignal): Promise<void> {
  await once(signal, 'abort');
  signal.throwIfAborted();
}
