import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let other: TestApp;
let ada: Account;
let keys = 0;

beforeAll(async () => {
  app = await startTestApp({ env: secrets });
  other = await startTestApp({ databaseUrl: app.databaseUrl, env: secrets });
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

// Instances of one service share their secrets.
const secrets = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'b'.repeat(40) };

const newKey = () => `key-${(keys += 1)}`;
const create = (
  instance: TestApp,
  key: string,
  body: object = { name: 'Ada', instructions: 'Teach.' },
  path = '/v1/agents',
) => instance.call('POST', path, { as: ada.token, body, headers: { 'idempotency-key': key } });
const countAgents = async () => (await app.db.query(`select count(*)::int as n from agents`)).rows[0].n;

test('replays the first response byte for byte and marks the replay', async () => {
  const key = newKey();
  const first = expectStatus(await create(app, key), 201);
  const again = expectStatus(await create(app, key), 201);
  expect(again.body).toEqual(first.body);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

test('creates one object for fifty concurrent requests on two instances', async () => {
  const before = await countAgents();
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => create(i % 2 ? app : other, key)));
  expect(await countAgents()).toBe(before + 1);
  const made = answers.filter((answer) => answer.status === 201);
  expect(new Set(made.map((answer) => answer.body.id)).size).toBe(1);
  for (const answer of answers.filter((each) => each.status !== 201)) {
    expect([answer.status, answer.body.error.code]).toEqual([409, 'idempotency_in_progress']);
  }
});

test('rejects another body', async () => {
  const key = newKey();
  expectStatus(await create(app, key), 201);
  const answer = await create(app, key, { name: 'Bob', instructions: 'Teach.' });
  expect([answer.status, answer.body.error.code]).toEqual([422, 'idempotency_mismatch']);
});

test('is scoped to user, method and path', async () => {
  const key = newKey();
  expectStatus(await create(app, key), 201);
  const bob = await app.signUp();
  const headers = { 'idempotency-key': key };
  const body = { name: 'Ada', instructions: 'Teach.' };
  const asBob = expectStatus(await app.call('POST', '/v1/agents', { as: bob.token, body, headers }), 201);
  expect(asBob.body.creator_id).toBe(bob.id);
});

test('does not store a response that a retry could change', async () => {
  const key = newKey();
  expect((await create(app, key, { name: '', instructions: 'Teach.' })).status).toBe(400);
  expectStatus(await create(app, key), 201);
});

test('stores a response that a retry would not change', async () => {
  const key = newKey();
  const body = { agent_id: '01a1fc1d-26e4-732d-bf43-047d1963eb06' };
  expect((await create(app, key, body, '/v1/conversations')).status).toBe(404);
  const again = await create(app, key, body, '/v1/conversations');
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([404, 'true']);
});

test.each(['with space', 'x'.repeat(256), '\u00e9'])(
  'must be visible ASCII of at most 255 characters (%#)',
  async (key) => {
    const answer = await create(app, key);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
  },
);

test('encrypts a stored response that contains a secret', async () => {
  const key = newKey();
  const made = expectStatus(await create(app, key, { name: 'ci', scopes: ['agents:read'] }, '/v1/auth/api-keys'), 201);
  const again = expectStatus(await create(app, key, { name: 'ci', scopes: ['agents:read'] }, '/v1/auth/api-keys'), 201);
  expect(again.body.key).toBe(made.body.key);
  const { rows } = await app.db.query(`select body from idempotency_keys where key = $1`, [key]);
  expect(rows[0].body).not.toContain(made.body.key);
  expect(rows[0].body).not.toContain(made.body.key.slice(0, 10));
});

test('does not block the reply that a request stops', async () => {
  const { id } = await app.createConversation(ada.token);
  app.model.script({ deltas: ['One', ', two'], fault: { kind: 'hang', after: 2 } });
  const path = `/v1/conversations/${id}/messages`;
  const reply = app.call('POST', path, { as: ada.token, body: { content: 'Count' } });
  await eventually(() => app.model.requests.some(({ deltasSent }) => deltasSent === 2));
  const key = newKey();
  const stopped = expectStatus(await create(app, key, {}, `${path}/stop`), 200);
  expect(stopped.body).toEqual({ stopped: true, message_id: (await reply).body.assistant_message.id });
  expect((await create(app, key, {}, `${path}/stop`)).body).toEqual(stopped.body);
});

test('releases the key of a crashed request when its lock expires', async () => {
  const key = newKey();
  const expired = new Date(Date.now() - 1000);
  const body = { name: 'Ada', instructions: 'Teach.' };
  expectStatus(await create(app, key, body), 201);
  await app.db.query(`update idempotency_keys set status = null, body = null, locked_until = $2 where key = $1`, [
    key,
    expired,
  ]);
  expectStatus(await create(app, key, body), 201);
});

test('gives the secret of a replay only to the credential that made the request', async () => {
  const body = { name: 'wide', scopes: ['account:write', 'agents:write'] };
  const make = (as: string, headers = {}) => app.call('POST', '/v1/auth/api-keys', { as, body, headers });
  const narrow = expectStatus(
    await app.call('POST', '/v1/auth/api-keys', { as: ada.token, body: { name: 'n', scopes: ['account:write'] } }),
    201,
  ).body.key;
  const headers = { 'idempotency-key': newKey() };
  const first = expectStatus(await make(ada.token, headers), 201).body;
  expect(expectStatus(await make(ada.token, headers), 201).body).toEqual(first);
  expect(await make(narrow, headers)).toMatchObject({
    status: 422,
    body: { error: { code: 'idempotency_mismatch' } },
  });
});
