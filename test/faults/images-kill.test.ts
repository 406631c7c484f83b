import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../src/simulators/openai.ts';
import { addUser } from '../support/account-rows.ts';
import { eventually } from '../support/eventually.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';

let harness: Harness;
let folder = '';
let model: OpenAiSimulator;
const workers = new Set<ChildProcess>();
const userId = newId('usr_');
const day = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  harness = await openHarness();
  folder = await mkdtemp(join(tmpdir(), 'images-kill-'));
  model = await startOpenAiSimulator({ log: pino({ level: 'silent' }) });
  await addUser(harness, userId);
});
afterEach(() => Promise.all([...workers].map(kill)));
afterAll(async () => {
  await model.stop();
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

function start(): ChildProcess {
  const file = join(import.meta.dirname, 'images-worker.ts');
  const args = [file, harness.url, pathToFileURL(folder).href, model.baseUrl, '1500'];
  const worker = spawn(process.execPath, ['--no-warnings', ...args], { stdio: 'ignore' });
  workers.add(worker);
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  workers.delete(worker);
  if (worker.exitCode !== null || worker.signalCode) return;
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}

async function acceptImage(): Promise<string> {
  const id = newId('img_');
  await harness.query(
    `insert into usage_counters (user_id, day, messages, images) values ($1, $2, 0, 1)
     on conflict (user_id, day) do update set images = usage_counters.images + 1`,
    [userId, day],
  );
  await harness.query(
    `insert into images (id, owner_id, kind, source, status, full_prompt, token, quota_day, started_at, created_at)
     values ($1, $2, 'avatar', 'generated', 'processing', 'An owl.', $1, $3, now(), now())`,
    [id, userId, day],
  );
  await harness.query(
    `insert into tasks (kind, key, payload, run_at, max_attempts, created_at)
     values ('image.make', $1, jsonb_build_object('imageId', $1::text), now(), 3, now())`,
    [id],
  );
  return id;
}

const statusOf = async (id: string) =>
  (await harness.query<{ status: string }>('select status from images where id = $1', [id]))[0]?.status;
const calls = () => model.requests.filter(({ path }) => path === '/v1/images/generations').length;

test('a worker that is killed while an image is made leaves one image, one event and one charge', async () => {
  const never = Promise.withResolvers<void>();
  model.script({ endpoint: 'images', gate: never.promise });
  const first = start();
  const id = await acceptImage();
  await eventually(() => calls() === 1);
  await kill(first);
  start();
  await eventually(async () => (await statusOf(id)) === 'ready', { timeoutMs: 40_000 });
  never.resolve();
  expect(calls()).toBe(2);
  const [{ images } = { images: 0 }] = await harness.query<{ images: number }>(
    'select images from usage_counters where user_id = $1',
    [userId],
  );
  expect(images).toBe(1);
  const events = await harness.query(`select type from outbox_events where account_id = $1`, [userId]);
  expect(events).toEqual([{ type: 'image.ready' }]);
  expect(await readdir(join(folder, 'images', id))).toHaveLength(1);
  expect(await harness.query(`select 1 from tasks where kind = 'image.make'`)).toEqual([]);
});
