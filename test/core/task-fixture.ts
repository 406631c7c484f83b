import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { TaskHandler, TaskRun } from '../../src/core/tasks/task-handler.ts';
import { claimTasks } from '../../src/core/tasks/task-leases.ts';
import { runDueTasks } from '../../src/core/tasks/task-runner.ts';
import { type EnqueueOptions, writeTask } from '../../src/core/tasks/tasks.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';

export const kind = 'test.kind';

interface TaskRow {
  state: string;
  attempts: number;
  /** Milliseconds until it may run, by the database's clock. */
  due_in_ms: number;
  payload: object;
  last_error: string | null;
  lease_token: string | null;
}

/** A database with nothing but tasks, none of them at the beginning of a test. */
export function openTaskFixture() {
  const wakes: { kind: string; inMs: number | undefined }[] = [];
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness({
      ports: { tasks: { wake: (of, inMs) => void wakes.push({ kind: of, inMs }) } },
    });
    await harness.query('create table effects (task text not null)');
  });
  afterAll(() => harness?.close());
  beforeEach(async () => {
    await harness.query('truncate tasks, effects restart identity');
    wakes.length = 0;
  });
  const newCtx = () => harness.newCtx();
  return {
    /** Of the workers, since the test began. */
    wakes,
    /** Moves every due time and lease into the past, as if `ms` had passed. */
    pass: (ms: number) =>
      harness.query(
        `update tasks set run_at = run_at - $1 * interval '1 ms', lease_expires_at = lease_expires_at - $1 * interval '1 ms'`,
        [ms],
      ),
    newCtx,
    query: (statement: string) => harness.query(statement),
    enqueue: (payload: object = {}, options: EnqueueOptions = {}) => writeTask(newCtx(), kind, payload, options),
    runDue: (one: TaskHandler, signal?: AbortSignal) => runDueTasks([one], { newCtx, ...(signal && { signal }) }),
    rows: () =>
      harness.query<TaskRow>(
        'select *, (extract(epoch from run_at - now()) * 1000)::float8 as due_in_ms from tasks order by id',
      ),
    claim: (leaseToken: string, leaseMs = 1_000) => claimTasks(newCtx().sql, { kind, limit: 100, leaseToken, leaseMs }),
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
