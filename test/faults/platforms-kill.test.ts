import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChats } from '../integrations/fixture.ts';
import { eventually } from '../support/eventually.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const kinds = ['chat_server', 'chat_messenger', 'chat_workspace'] as const;
const secrets = {
  ENCRYPTION_KEYS: 'a key that all of the processes have',
  AUTH_SECRET: 'another secret that all of them have',
};
let chats: Awaited<ReturnType<typeof startChats>>;
let dataDir: string;
const workers: ServiceProcess[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'acs-test-'));
  // Serves, and takes the calls of chat_workspace; the workers are processes of their own.
  chats = await startChats({ ROLE: 'web', ...secrets });
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await chats.app.close();
  await chats.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function startWorker(): Promise<ServiceProcess> {
  const worker = await startServiceProcess({
    ROLE: 'worker',
    DATABASE_URL: chats.app.databaseUrl,
    DATA_DIR: dataDir,
    OPENAI_API_KEY: 'test-key',
    OPENAI_BASE_URL: chats.app.model.baseUrl,
    ...secrets,
    ...chats.env,
  });
  workers.push(worker);
  return worker;
}

const asked = () => chats.app.model.requests.filter(({ body }) => JSON.stringify(body).includes('at length')).length;

test('a worker killed in the middle of replies is replaced, and nobody is answered twice or not at all', async () => {
  const first = await startWorker();
  const all = await Promise.all(kinds.map((kind) => chats.connect(kind)));
  await startWorker();
  const deltas = Array.from({ length: 40 }, (_, n) => `word${n} `);
  chats.app.model.script({ deltas, deltaDelayMs: 100, when: 'at length', times: 3 });
  for (const chat of all) chats.write(chat, 'Tell me at length');
  await eventually(() => asked() >= 3, { what: 'three replies underway' });
  await first.kill();
  const killedMs = performance.now();
  for (const chat of all) chats.write(chat, 'And this, while nobody was there', { author: 'Linus' });
  await eventually(() => all.every((chat) => chats.replies(chat).length === 2), {
    timeoutMs: 30_000,
    what: 'an answer to everything from the second worker',
  });
  expect(performance.now() - killedMs).toBeLessThan(30_000);
  for (const chat of all) {
    await chats.settled(chat);
    expect(chats.replies(chat)).toHaveLength(2);
  }
  const { rows } = await chats.app.db.query(`
    select count(*) filter (where role = 'user')::int as questions,
      count(*) filter (where role = 'assistant' and content <> 'Hello.')::int as answers
    from messages`);
  expect(rows[0]).toEqual({ questions: 6, answers: 6 });
}, 90_000);

test('a worker that is stopped hands its connections over within seconds', async () => {
  const [, second] = workers;
  const chat = await chats.connect('chat_server');
  await startWorker();
  const { resumed } = chats.discord;
  const stoppedMs = performance.now();
  second?.signal('SIGTERM');
  await second?.exited;
  chats.write(chat, 'Who has it now?');
  await eventually(() => chats.replies(chat).length === 1, { what: 'an answer of the third worker' });
  expect(performance.now() - stoppedMs).toBeLessThan(8_000);
  expect(chats.discord.resumed).toBeGreaterThan(resumed);
}, 60_000);
