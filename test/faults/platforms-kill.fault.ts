import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChats } from '../integrations/fixture.ts';
import { eventually } from '../support/eventually.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const kinds = ['chat_server', 'chat_messenger', 'chat_workspace'] as const;
const secrets = {
  ENCRYPTION_KEYS: 'e'.repeat(40),
  AUTH_SECRET: 's'.repeat(40),
};
let chats: Awaited<ReturnType<typeof startChats>>;
let dataDir: string;
const workers: ServiceProcess[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'acs-test-'));
  // Serves requests and the calls of chat_workspace; the workers are separate processes.
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

test('replaces a worker that is killed during replies, and replies to each message exactly once', async () => {
  const first = await startWorker();
  const all = await Promise.all(kinds.map((kind) => chats.connect(kind)));
  await startWorker();
  const deltas = Array.from({ length: 40 }, (_, n) => `word${n} `);
  chats.app.model.script({ deltas, deltaDelayMs: 100, when: 'at length', times: 3 });
  for (const chat of all) chats.write(chat, 'Tell me at length');
  await eventually(() => asked() >= 3, { what: 'three replies underway' });
  await first.kill();
  const killedMs = performance.now();
  for (const chat of all) chats.write(chat, 'And this, while no worker was running', { author: 'Linus' });
  await eventually(() => all.every((chat) => chats.replies(chat).length === 2), {
    timeoutMs: 30_000,
    what: 'replies of the second worker to all messages',
  });
  expect(performance.now() - killedMs).toBeLessThan(30_000);
  for (const chat of all) {
    await chats.settled(chat);
    expect(chats.replies(chat)).toHaveLength(2);
  }
  const { rows } = await chats.app.db.query(`
    select count(*) filter (where role = 'user')::int as questions,
      count(*) filter (where role = 'assistant' and content <> 'Hello.')::int as answers
    from messages where active`);
  expect(rows[0]).toEqual({ questions: 6, answers: 6 });
});

/** The process that holds the connection of an integration, if its lease has not expired. */
const holderOf = async ({ id }: { id: string }): Promise<string | null> =>
  (
    await chats.app.db.query<{ holder: string }>(
      `select holder from integration_connections where integration_id = $1 and lease_expires_at > now()`,
      [id],
    )
  ).rows[0]?.holder ?? null;

test('hands over the connections of a stopped worker without waiting for their leases', async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  const stopped = await startWorker();
  const chat = await chats.connect('chat_server');
  await startWorker();
  const { resumed } = chats.discord;
  const holder = await eventually(() => holderOf(chat));
  stopped.signal('SIGTERM');
  await stopped.exited;
  // Released, whether or not the other worker has it already.
  expect(await holderOf(chat)).not.toBe(holder);
  chats.write(chat, 'Who has it now?');
  await eventually(() => chats.replies(chat).length === 1, { what: 'a reply of the other worker' });
  expect(chats.discord.resumed).toBeGreaterThan(resumed);
});

test('replies once to each message when a suspended worker resumes after its leases', async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  const suspended = await startWorker();
  const all = await Promise.all(kinds.map((kind) => chats.connect(kind)));
  await startWorker();
  const deltas = Array.from({ length: 30 }, (_, n) => `word${n} `);
  chats.app.model.reset();
  chats.app.model.script({ deltas, deltaDelayMs: 100, when: 'at length', times: 3 });
  for (const chat of all) chats.write(chat, 'Tell me at length');
  await eventually(() => asked() >= 3, { what: 'three replies in progress' });
  suspended.signal('SIGSTOP');
  const answered = (count: number) => () => all.every((chat) => chats.replies(chat).length === count);
  await eventually(answered(1), { timeoutMs: 40_000, what: 'replies of the second worker' });
  for (const chat of all) chats.write(chat, 'And this meanwhile', { author: 'Linus' });
  await eventually(answered(2), { timeoutMs: 30_000, what: 'replies to the second messages' });
  suspended.signal('SIGCONT');
  for (const chat of all) chats.write(chat, 'And this afterwards', { author: 'Linus' });
  await eventually(answered(3), { timeoutMs: 30_000, what: 'replies after the thaw' });
  for (const chat of all) await chats.settled(chat);
  // The resumed worker answers again before its silence is judged.
  await eventually(async () => (await fetch(`${suspended.baseUrl}/readyz`)).ok);
  for (const chat of all) chats.write(chat, 'And the last one', { author: 'Linus' });
  await eventually(answered(4), { timeoutMs: 30_000, what: 'the last replies' });
  for (const chat of all) {
    await chats.settled(chat);
    expect(chats.replies(chat)).toHaveLength(4);
    expect((await chats.get(chat.id)).message_count).toBe(8);
  }
}, 180_000);
