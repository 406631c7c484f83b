import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { behindLock } from '../support/behind-lock.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createTestClock } from '../support/clock.ts';

let service: TestApp;
let other: TestApp;
const env = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'e'.repeat(40) };
const clock = createTestClock(new Date());

beforeAll(async () => {
  service = await startTestApp({ clock, env });
  other = await startTestApp({ clock, databaseUrl: service.databaseUrl, env });
});
afterAll(async () => {
  await other.close();
  await service.close();
});

const login = async ({ email, password }: Account, userAgent = 'test') =>
  expectStatus(
    await service.call('POST', '/v1/auth/login', { body: { email, password }, headers: { 'user-agent': userAgent } }),
    200,
  ).body;
const sessions = async (as: string) => expectStatus(await service.call('GET', '/v1/auth/sessions', { as }), 200).body;
const audit = async (as: string, query = '') =>
  expectStatus(await service.call('GET', `/v1/auth/audit-log${query}`, { as }), 200).body;
const createKey = async (as: string, fields: object = {}) =>
  expectStatus(
    await service.call('POST', '/v1/auth/api-keys', { as, body: { name: 'ci', scopes: ['agents:read'], ...fields } }),
    201,
  ).body;
const rotate = (as: string, id: string, body: object = {}) =>
  service.call('POST', `/v1/auth/api-keys/${id}/rotate`, { as, body });

test('GET /v1/auth/sessions lists the valid sessions of the caller with user agent and IP address, and marks the current one', async () => {
  const ada = await service.signUp();
  clock.advance(1_000);
  const { access_token: phone } = await login(ada, 'Phone/1.0');
  const list = await sessions(phone);
  expect(list.total).toBe(2);
  expect(list.data[0]).toEqual({
    id: expect.stringMatching(/^ses_/),
    created_at: clock.now().toISOString(),
    last_used_at: clock.now().toISOString(),
    ip: '127.0.0.1',
    user_agent: 'Phone/1.0',
    current: true,
  });
  expect(list.data[1].current).toBe(false);
});

test('rejects an access token with padding or stray trailing bits', async () => {
  const { token } = await service.signUp();
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const stray = letters[letters.indexOf(token.at(-1) ?? '') + 1];
  for (const other of [`${token}=`, `${token.slice(0, -1)}${stray}`])
    expect((await service.call('GET', '/v1/auth/me', { as: other })).status).toBe(401);
  expect((await service.call('GET', '/v1/auth/me', { as: token })).status).toBe(200);
});

test('DELETE /v1/auth/sessions/:id revokes the session and its refresh token immediately on every instance', async () => {
  const ada = await service.signUp();
  const phone = await login(ada);
  const id = (await sessions(phone.access_token)).data[0].id;
  const answer = await service.call('DELETE', `/v1/auth/sessions/${id}`, { as: ada.token });
  expect(answer).toMatchObject({ status: 200, body: { id, revoked_at: clock.now().toISOString() } });
  for (const instance of [service, other])
    expect((await instance.call('GET', '/v1/auth/me', { as: phone.access_token })).status).toBe(401);
  const body = { refresh_token: phone.refresh_token };
  expect((await other.call('POST', '/v1/auth/refresh', { body })).status).toBe(401);
  expect((await sessions(ada.token)).total).toBe(1);
  expect((await service.call('DELETE', `/v1/auth/sessions/${id}`, { as: ada.token })).status).toBe(404);
});

test('returns 404 for the session of another user and for a malformed id', async () => {
  const [ada, bob] = [await service.signUp(), await service.signUp()];
  const id = (await sessions(bob.token)).data[0].id;
  for (const path of [id, 'ses_x', '..%2f'])
    expect((await service.call('DELETE', `/v1/auth/sessions/${path}`, { as: ada.token })).status).toBe(404);
  expect((await service.call('GET', '/v1/auth/me', { as: bob.token })).status).toBe(200);
});

test('POST /v1/auth/api-keys/:id/rotate returns a new key; the old one works until the overlap ends and is listed with that time', async () => {
  const ada = await service.signUp();
  const old = await createKey(ada.token);
  const answer = await rotate(ada.token, old.id, { overlap_seconds: 60 });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.not.stringMatching(old.id),
    name: 'ci',
    key: expect.stringMatching(/^ak_[0-9A-Za-z]{46}$/),
    scopes: ['agents:read'],
    created_at: clock.now().toISOString(),
    last_used_at: null,
    expires_at: null,
  });
  const works = async (key: string) => (await other.call('GET', '/v1/agents', { as: key })).status === 200;
  expect([await works(old.key), await works(answer.body.key)]).toEqual([true, true]);
  const { data } = (await service.call('GET', '/v1/auth/api-keys', { as: ada.token })).body;
  const ends = new Date(clock.now().getTime() + 60_000).toISOString();
  expect(data.find(({ id }: { id: string }) => id === old.id).expires_at).toBe(ends);
  clock.advance(60_000);
  expect([await works(old.key), await works(answer.body.key)]).toEqual([false, true]);
  expect((await rotate(ada.token, old.id)).status).toBe(404);
});

test('without an overlap the old key stops working immediately; the new key has the lifetime of the old one', async () => {
  const ada = await service.signUp();
  const expiresAt = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const old = await createKey(ada.token, { expires_at: expiresAt });
  clock.advance(600_000);
  const fresh = (await rotate(ada.token, old.id)).body;
  expect(fresh.expires_at).toBe(new Date(clock.now().getTime() + 3_600_000).toISOString());
  expect((await service.call('GET', '/v1/agents', { as: old.key })).status).toBe(401);
});

test('rotate returns 400 for an overlap out of range, 404 for a key of another user, 403 for scopes that the calling key lacks', async () => {
  const [ada, bob] = [await service.signUp(), await service.signUp()];
  const key = await createKey(ada.token);
  for (const overlap of [-1, 604_801, '5', 1.5])
    expect((await rotate(ada.token, key.id, { overlap_seconds: overlap })).status).toBe(400);
  expect((await rotate(bob.token, key.id)).status).toBe(404);
  const admin = await createKey(ada.token, { scopes: ['account:write'] });
  expect(await rotate(admin.key, key.id)).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_scope' } },
  });
  expect((await rotate(admin.key, admin.id)).status).toBe(201);
});

test('GET /v1/auth/audit-log lists who did what from where, newest first, in pages, only to the owner', async () => {
  const [ada, bob] = [await service.signUp(), await service.signUp()];
  const key = await createKey(ada.token, { scopes: ['account:write'] });
  clock.advance(1_000);
  const second = await createKey(key.key, { scopes: ['account:read'] });
  clock.advance(1_000);
  expectStatus(await service.call('DELETE', `/v1/auth/api-keys/${second.id}`, { as: ada.token }), 200);
  const log = await audit(ada.token);
  expect(log).toMatchObject({ total: 4, limit: 20, offset: 0 });
  expect(log.data.map(({ action }: { action: string }) => action)).toEqual([
    'api_key.revoked',
    'api_key.created',
    'api_key.created',
    'account.registered',
  ]);
  expect(log.data[1]).toEqual({
    id: expect.stringMatching(/^aud_/),
    action: 'api_key.created',
    subject: second.id,
    session_id: null,
    api_key_id: key.id,
    ip: '127.0.0.1',
    created_at: new Date(clock.now().getTime() - 1_000).toISOString(),
  });
  expect((await audit(ada.token, '?limit=1&offset=1')).data).toEqual([log.data[1]]);
  expect((await audit(bob.token)).total).toBe(1);
  const inGraphql = await service.graphql('{ auditLog(limit: 1) { total data { action subject } } }', {
    as: ada.token,
  });
  expect(inGraphql.body.data.auditLog).toEqual({
    total: 4,
    data: [{ action: 'API_KEY_REVOKED', subject: second.id }],
  });
});

test('reuse of a refresh token revokes its session and is recorded in the audit log', async () => {
  const ada = await service.signUp();
  const { refresh_token: token } = await login(ada);
  const body = { refresh_token: token };
  expectStatus(await service.call('POST', '/v1/auth/refresh', { body }), 200);
  await service.db.query(`update refresh_tokens set used_at = used_at - interval '11 seconds'`);
  expect((await service.call('POST', '/v1/auth/refresh', { body })).status).toBe(401);
  expect((await audit(ada.token)).data[0].action).toBe('session.token_reused');
});

test('two instances whose clocks differ by two minutes agree on the ten seconds of a reuse', async () => {
  const now = () => new Date(clock.now().getTime() + 120_000);
  const ahead = await startTestApp({ databaseUrl: service.databaseUrl, clock: { now, realNow: now }, env });
  const refresh = async (app: TestApp, token: string) => {
    const { body } = expectStatus(await app.call('POST', '/v1/auth/refresh', { body: { refresh_token: token } }), 200);
    return body.refresh_token as string;
  };
  try {
    const ada = await service.signUp();
    const { refresh_token: first } = await login(ada);
    const successor = await refresh(ahead, first);
    expect(await refresh(service, first)).toBe(successor);
    const next = await refresh(service, successor);
    expect(await refresh(ahead, successor)).toBe(next);
    await service.db.query(`update refresh_tokens set used_at = used_at - interval '11 seconds'`);
    expect((await ahead.call('POST', '/v1/auth/refresh', { body: { refresh_token: first } })).status).toBe(401);
  } finally {
    await ahead.close();
  }
});

test('rejects an expired access token for good, even when the clock is set back', async () => {
  const ada = await service.signUp();
  const { access_token: token } = await login(ada);
  clock.advance(3_600_000);
  const status = async () => (await service.call('GET', '/v1/auth/me', { as: token })).status;
  expect(await status()).toBe(401);
  clock.advance(-3_600_000);
  expect(await status()).toBe(401);
  expect((await service.call('GET', '/v1/auth/me', { as: ada.token })).status).toBe(200);
});

test('a refresh that waits for its token is rejected when the session is revoked first', async () => {
  const ada = await service.signUp();
  const { refresh_token } = await login(ada);
  const [session] = (await sessions(ada.token)).data;
  const refresh = () => service.call('POST', '/v1/auth/refresh', { body: { refresh_token } });
  const lock = [
    'select from refresh_tokens t join sessions s on s.id = t.session_id where s.id = $1 for update of t',
  ] as const;
  const [refreshed] = await behindLock(service, [...lock, session.id], [refresh], async () => {
    expectStatus(await service.call('DELETE', `/v1/auth/sessions/${session.id}`, { as: ada.token }), 200);
  });
  expect(refreshed).toMatchObject({ status: 401 });
});
