import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeTask } from '../../src/core/tasks/tasks.ts';
import { eventually } from '../support/eventually.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';

const kind = 'test.fault';
let harness: Harness;
const children = new Set<ChildProcess>();
let deaths = 0;
let over = false;

/** Restarts the worker process whenever it exits, as a process manager would. */
function keepRunning(): void {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'task-worker.ts'), harness.url], {
    stdio: 'inherit',
  });
  children.add(child);
  child.once('exit', (_code, signal) => {
    children.delete(child);
    if (over) return;
    if (signal === 'SIGKILL') deaths++;
    keepRunning();
  });
}

beforeAll(async () => {
  harness = await openHarness();
  await harness.query('create table effects (n integer not null)');
});
afterAll(async () => {
  over = true;
  await Promise.all([...children].map((child) => (child.kill('SIGKILL'), once(child, 'exit'))));
  await harness.close();
});

test('neither loses nor repeats tasks of a killed process, and abandons one that kills it every time', async () => {
  const points = ['before', 'inside', 'after', 'before', 'inside', 'after'] as const;
  const ctx = harness.newCtx();
  let n = 0;
  for (const dieAt of points) {
    for (let i = 0; i < 20; i++) await writeTask(ctx, kind, { n: n++ });
    await writeTask(ctx, kind, { n: n++, dieAt });
  }
  await writeTask(ctx, kind, { n: -1, dieAt: 'inside', always: true }, { maxAttempts: 2 });
  keepRunning();
  keepRunning();

  await eventually(async () => (await harness.query(`select id from tasks where state <> 'failed'`)).length === 0, {
    timeoutMs: 110_000,
    what: 'an empty queue',
  });
  const effects = await harness.query<{ n: number }>('select n from effects order by n');
  expect(effects.map((row) => row.n)).toEqual(Array.from({ length: n }, (_, i) => i));
  expect(await harness.query('select payload, attempts from tasks')).toMatchObject([
    { payload: { n: -1 }, attempts: 2 },
  ]);
  expect(deaths).toBeGreaterThanOrEqual(points.length);
}, 120_000);
