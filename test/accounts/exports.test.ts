import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOwner } from '../contract/authorisation-seed.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createTestClock } from '../support/clock.ts';
import { mailWith } from '../support/outbox.ts';
import { unzip } from '../support/unzip.ts';

let service: TestApp;
const clock = createTestClock(new Date());
const dayMs = 24 * 3_600_000;

beforeAll(async () => {
  service = await startTestApp({ clock });
});
afterAll(() => service.close());

const request = (as: string) => service.call('POST', '/v1/auth/export-data', { as });
const state = (as: string, id: string) => service.call('GET', `/v1/auth/export-data/${id}`, { as });
const isReady = (as: string, id: string) =>
  eventually(async () => {
    const { body } = await state(as, id);
    return body.status === 'ready' ? body : null;
  });

async function mailedLink(email: string): Promise<string> {
  const mail = await mailWith(service, email, 'Your data export is ready');
  const url = new URL(/http:\/\/\S+\/exports\/\S+/.exec(mail.text)?.[0] ?? '');
  return url.pathname + url.search;
}

test('POST /v1/auth/export-data mails a link to a ZIP with all data of the caller, no data of others and no secrets', async () => {
  const [ada, bob] = [await service.signUp(), await service.signUp()];
  const conversation = await service.createConversation(ada.token, { name: 'Ada’s tutor' });
  await service.createAgent(bob.token, { name: 'Bob’s own' });
  // Bob has data in every part of an export, and both talk to the same agent.
  const theirs = await createOwner(service);
  const shared = expectStatus(
    await service.call('PUT', `/v1/agents/${conversation.agent_id}`, { as: ada.token, body: { is_public: true } }),
    200,
  ).body;
  const talk = expectStatus(
    await service.call('POST', '/v1/conversations', { as: bob.token, body: { agent_id: shared.id } }),
    201,
  ).body;
  const said = await service.call('POST', `/v1/conversations/${talk.id}/messages`, {
    as: bob.token,
    body: { content: 'Between us.' },
  });
  expectStatus(said, 201);
  const rate = (as: string, of: string, id: string, body: object) =>
    service.call('POST', `/v1/conversations/${of}/messages/${id}/feedback`, { as, body });
  const words = { rating: 'up', comment: 'Bob’s comment', share: true };
  expectStatus(await rate(bob.token, talk.id, said.body.assistant_message.id, words), 200);
  const [greeting] = (await service.call('GET', `/v1/conversations/${conversation.id}/messages`, { as: ada.token }))
    .body.data;
  expectStatus(await rate(ada.token, conversation.id, greeting.id, { rating: 'down', comment: 'Dull.' }), 200);
  const key = expectStatus(
    await service.call('POST', '/v1/auth/api-keys', { as: ada.token, body: { name: 'k', scopes: ['agents:read'] } }),
    201,
  ).body;
  const accepted = await request(ada.token);
  expect(accepted.status).toBe(202);
  expect(accepted.body).toEqual({
    message: expect.any(String),
    export_id: expect.stringMatching(/^exp_/),
    status: 'processing',
    requested_at: clock.now().toISOString(),
  });
  const ready = await isReady(ada.token, accepted.body.export_id);
  expect(ready).toEqual({
    export_id: accepted.body.export_id,
    status: 'ready',
    requested_at: accepted.body.requested_at,
    completed_at: expect.any(String),
    expires_at: new Date(clock.now().getTime() + 7 * dayMs).toISOString(),
    size_bytes: expect.any(Number),
  });
  const response = await fetch(service.baseUrl + (await mailedLink(ada.email)));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toContain('attachment');
  const archive = Buffer.from(await response.arrayBuffer());
  expect(archive.length).toBe(ready.size_bytes);

  const files = unzip(archive);
  const read = (name: string) => JSON.parse(files.get(name) ?? 'null');
  expect(read('profile.json')).toMatchObject([{ id: ada.id, email: ada.email }]);
  expect(read('agents.json')).toMatchObject([{ name: 'Ada’s tutor' }]);
  expect(read('conversations.json')).toMatchObject([{ id: conversation.id }]);
  expect(read('messages.json')).toMatchObject([{ role: 'assistant', content: 'Hello.' }]);
  expect(read('feedback.json')).toMatchObject([{ rating: 'down', comment: 'Dull.', shared_at: null }]);
  expect(read('api-keys.json')).toMatchObject([
    { id: key.id, key_hint: `${key.key.slice(0, 7)}...${key.key.slice(-4)}` },
  ]);
  const everything = [...files.values()].join();
  const ofOthers = [
    bob.id,
    bob.email,
    'Bob’s own',
    talk.id,
    'Between us.',
    words.comment,
    theirs.email,
    ...Object.values(theirs.its),
  ];
  expect(ofOthers.every(Boolean)).toBe(true);
  for (const absent of [...ofOthers, key.key, 'argon2', 'hash', 'secret']) expect(everything).not.toContain(absent);
});

test('a request returns the export in progress; after a failed one it starts a new one', async () => {
  const ada = await service.signUp();
  await service.db.query(
    `insert into data_exports (id, user_id, status, requested_at) values ('exp_running', $1, 'processing', now())`,
    [ada.id],
  );
  const both = await Promise.all([request(ada.token), request(ada.token)]);
  expect(both.map(({ body }) => body.export_id)).toEqual(['exp_running', 'exp_running']);
  await service.db.query(`update data_exports set status = 'failed' where id = 'exp_running'`);
  // The lock prevents the first export from finishing before the second request.
  const held = await service.db.connect();
  await held.query('begin; lock table conversations in access exclusive mode');
  const [one, two] = await Promise.all([request(ada.token), request(ada.token)]);
  await held.query('commit');
  held.release();
  expect(one.body.export_id).not.toBe('exp_running');
  expect(two.body.export_id).toBe(one.body.export_id);
});

test('a second export within a day is refused with 429; a later one replaces the stored archive', async () => {
  const ada = await service.signUp();
  const first = (await request(ada.token)).body.export_id;
  await isReady(ada.token, first);
  const refused = await request(ada.token);
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
  const link = await mailedLink(ada.email);
  clock.advance(dayMs);
  const { email, password } = ada;
  const as = expectStatus(await service.call('POST', '/v1/auth/login', { body: { email, password } }), 200).body
    .access_token;
  const second = expectStatus(await request(as), 202).body.export_id;
  await isReady(as, second);
  await eventually(async () => (await state(as, first)).body.status === 'expired', { what: 'the end of the first' });
  expect((await service.call('GET', link)).status).toBe(404);
  const archives = (await readdir(service.dataDir, { recursive: true })).filter((path) => path.includes(ada.id));
  expect(archives.filter((path) => path.endsWith('.zip'))).toEqual([expect.stringContaining(second)]);
});

test('returns 404 for the export of another user and for a link that is altered, of another export or expired', async () => {
  const [ada, bob] = [await service.signUp(), await service.signUp()];
  const [ofAda, ofBob] = [(await request(ada.token)).body.export_id, (await request(bob.token)).body.export_id];
  await isReady(ada.token, ofAda);
  await isReady(bob.token, ofBob);
  expect((await state(bob.token, ofAda)).status).toBe(404);
  expect((await state(bob.token, 'exp_x')).status).toBe(404);
  const link = await mailedLink(ada.email);
  const [path = '', token = ''] = link.split('?token=');
  const [seconds = '', key = '', signature = ''] = token.split('.');
  const status = async (url: string) => (await service.call('GET', url)).status;
  for (const bad of [
    path,
    `${path}?token=`,
    `${path}?token=${Number(seconds) + 1}.${key}.${signature}`,
    `${path}?token=${seconds}.00000000.${signature}`,
    `${path}?token=${seconds}.${key}.${signature.slice(0, -2)}AA`,
    `/exports/${ofBob}?token=${token}`,
    `${path}?token=${token}&token=${token}`,
  ])
    expect({ link: bad, status: await status(bad) }).toEqual({ link: bad, status: 404 });
  expect(await status(link)).toBe(200);
  clock.advance(7 * dayMs);
  expect(await status(link)).toBe(404);
  const again = expectStatus(
    await service.call('POST', '/v1/auth/login', { body: { email: ada.email, password: ada.password } }),
    200,
  ).body.access_token;
  expect((await state(again, ofAda)).body.status).toBe('expired');
});

test('the link stops working when the account is deleted', async () => {
  const ada = await service.signUp();
  await isReady(ada.token, (await request(ada.token)).body.export_id);
  const link = await mailedLink(ada.email);
  expectStatus(await service.call('DELETE', '/v1/auth/me', { as: ada.token }), 200);
  expect((await service.call('GET', link)).status).toBe(404);
});
