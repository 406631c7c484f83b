import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueueTask } from '../../src/core/tasks.ts';
import { eventually } from '../support/eventually.ts';
import type { House } from '../support/house.ts';
import { openHouse } from '../support/open-house.ts';

const kind = 'test.fault';
let house: House;
const children = new Set<ChildProcess>();
let deaths = 0;
let over = false;

/** Keeps a worker process alive, as whatever runs the service would. */
function keepRunning(): void {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'task-worker.ts'), house.url], {
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
  house = await openHouse();
  await house.query('create table effects (n integer not null)');
});
afterAll(async () => {
  over = true;
  await Promise.all([...children].map((child) => (child.kill('SIGKILL'), once(child, 'exit'))));
  await house.close();
});

test('tasks of a process killed with -9 are neither lost nor doubled in effect, and one that kills it every time is given up', async () => {
  const points = ['before', 'inside', 'after', 'before', 'inside', 'after'] as const;
  const ctx = house.newCtx();
  let n = 0;
  for (const dieAt of points) {
    for (let i = 0; i < 20; i++) await enqueueTask(ctx, kind, { n: n++ });
    await enqueueTask(ctx, kind, { n: n++, dieAt });
  }
  await enqueueTask(ctx, kind, { n: -1, dieAt: 'inside', always: true }, { maxAttempts: 2 });
  keepRunning();
  keepRunning();

  await eventually(async () => (await house.query(`select id from tasks where state <> 'failed'`)).length === 0, {
    timeoutMs: 50_000,
    what: 'an empty queue',
  });
  const effects = await house.query<{ n: number }>('select n from effects order by n');
  expect(effects.map((row) => row.n)).toEqual(Array.from({ length: n }, (_, i) => i));
  expect(await house.query('select payload, attempts from tasks')).toMatchObject([{ payload: { n: -1 }, attempts: 2 }]);
  expect(deaths).toBeGreaterThanOrEqual(points.length);
}, 60_000);
