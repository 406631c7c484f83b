import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processorOf } from '../billing/billing-client.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createTestClock } from '../support/clock.ts';
import { madeImage, picture, uploadImage } from '../support/images.ts';
import { letTasksComeDue } from '../support/leases.ts';

let app: TestApp;
const clock = createTestClock(new Date());
const dayMs = 24 * 3_600_000;
const secretWords = 'marmalade-zeppelin';

beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

/** Creates one of everything that an account can have. Returns the values that identify it. */
async function seedEverything(owner: Account): Promise<string[]> {
  const call = async (method: string, path: string, body: unknown, status: number) =>
    expectStatus(await app.call(method, path, { as: owner.token, body }), status).body;
  await call('PUT', '/v1/auth/me', { display_name: secretWords, bio: secretWords }, 200);
  const agent = await call(
    'POST',
    '/v1/agents',
    { name: secretWords, instructions: secretWords, is_public: true, greeting_message: 'Hi' },
    201,
  );
  const conversation = await call('POST', '/v1/conversations', { agent_id: agent.id, title: secretWords }, 201);
  const exchange = await call('POST', `/v1/conversations/${conversation.id}/messages`, { content: secretWords }, 201);
  await call(
    'POST',
    `/v1/conversations/${conversation.id}/messages/${exchange.assistant_message.id}/feedback`,
    { rating: 'up', comment: secretWords },
    200,
  );
  const form = new FormData();
  form.append('file', new Blob([`${secretWords} is a kind of airship. `.repeat(40)]), `${secretWords}.txt`);
  const document = await call('POST', `/v1/knowledge/${agent.id}/documents`, form, 201);
  await eventually(
    async () =>
      (await app.call('GET', `/v1/knowledge/${agent.id}/documents/${document.id}`, { as: owner.token })).body.status ===
      'ready',
    { timeoutMs: 30_000 },
  );
  const { body: uploaded } = await uploadImage(app, owner.token, await picture(200, 200));
  const made = await call('POST', '/v1/images', { kind: 'avatar', prompt: secretWords }, 202);
  expect((await madeImage(app, owner.token, made.data[0].id)).status).toBe('ready');
  await call('POST', `/v1/images/${uploaded.id}/apply`, { agent_id: agent.id }, 200);
  const webhook = await call(
    'POST',
    '/v1/webhooks',
    { url: `https://127.0.0.1/${secretWords}`, events: ['agent.updated'] },
    201,
  );
  const integration = await call(
    'POST',
    '/v1/integrations/chat_messenger',
    { agent_id: agent.id, bot_token: `token-${secretWords}` },
    201,
  );
  const key = await call('POST', '/v1/auth/api-keys', { name: secretWords, scopes: ['agents:read'] }, 201);
  await processorOf(app).subscribe(owner.token);
  const exported = await call('POST', '/v1/auth/export-data', undefined, 202);
  await eventually(
    async () =>
      (await app.call('GET', `/v1/auth/export-data/${exported.export_id}`, { as: owner.token })).body.status ===
      'ready',
    { timeoutMs: 30_000 },
  );
  return [
    owner.id,
    owner.email,
    secretWords,
    agent.id,
    conversation.id,
    document.id,
    uploaded.id,
    made.data[0].id,
    webhook.id,
    integration.id,
    key.id,
    exported.export_id,
  ];
}

/** Returns every row of every table, and every file, that contains one of the names. */
async function traces(names: readonly string[], dataDir: string): Promise<string[]> {
  const found: string[] = [];
  const { rows: tables } = await app.db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables) {
    const { rows } = await app.db.query(`select t::text as row from ${name} t where t::text like any ($1)`, [
      names.map((each) => `%${each}%`),
    ]);
    found.push(...rows.map((row) => `${name}: ${row.row.slice(0, 200)}`));
  }
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = path + (await readFile(path)).toString('latin1');
    if (names.some((each) => content.includes(each))) found.push(path);
  }
  return found;
}

test('an account that had one of everything leaves no trace after its purge, and other accounts lose nothing', async () => {
  const [ada, bob] = [await app.signUp(), await app.signUp()];
  const kept = await app.createConversation(bob.token);
  const names = await seedEverything(ada);
  const { dataDir } = app;
  expect((await traces(names, dataDir)).filter((trace) => trace.includes('/images/')).length).toBeGreaterThan(3);

  expectStatus(await app.call('DELETE', '/v1/auth/me', { as: ada.token }), 200);
  clock.advance(30 * dayMs + 1_000);
  await letTasksComeDue(app.db);
  await eventually(async () => (await app.db.query(`select 1 from users where id = $1`, [ada.id])).rows.length === 0, {
    timeoutMs: 40_000,
    what: 'the purge',
  });
  await eventually(async () => (await traces(names, dataDir)).length === 0, { timeoutMs: 10_000 }).catch(
    () => undefined,
  );
  // Request counters end with their window, a minute of real time.
  await app.db.query('delete from rate_limits');
  expect(await traces(names, dataDir)).toEqual([]);
  const { rows } = await app.db.query(`select user_id, completed_at, counts from deletion_receipts`);
  expect(rows).toEqual([
    {
      user_id: null,
      completed_at: expect.any(Date),
      counts: expect.objectContaining({ documents: 1, image_files: 2 }),
    },
  ]);
  expect((await app.db.query(`select 1 from conversations where id = $1`, [kept.id])).rows).toHaveLength(1);
});
