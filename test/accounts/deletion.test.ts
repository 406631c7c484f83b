import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createTestClock } from '../support/house.ts';
import { mailWith, outboxOf, tokenIn } from '../support/outbox.ts';

let service: TestApp;
const clock = createTestClock(new Date());
const dayMs = 24 * 3_600_000;

beforeAll(async () => {
  service = await startTestApp({ clock });
});
afterAll(() => service.close());

const post = (path: string, body: object) => service.call('POST', `/v1/auth/${path}`, { body });
const credentials = ({ email, password }: Account) => ({ email, password });
const remove = async (as: string) => expectStatus(await service.call('DELETE', '/v1/auth/me', { as }), 200).body;

test('DELETE /v1/auth/me: 200 with both times, and no credential works from then on', async () => {
  const ada = await service.signUp();
  const session = expectStatus(await post('login', credentials(ada)), 200).body;
  const key = expectStatus(
    await service.call('POST', '/v1/auth/api-keys', { as: ada.token, body: { name: 'k', scopes: ['agents:read'] } }),
    201,
  ).body.key;
  expectStatus(await post('forgot-password', { email: ada.email }), 200);
  const reset = tokenIn(await mailWith(service, ada.email, 'Set a new password'));
  const answer = await remove(ada.token);
  expect(answer).toEqual({
    message: expect.any(String),
    deleted_at: clock.now().toISOString(),
    grace_period_ends: new Date(clock.now().getTime() + 30 * dayMs).toISOString(),
  });
  for (const as of [ada.token, session.access_token, key])
    expect((await service.call('GET', '/v1/agents', { as })).status).toBe(401);
  expect((await post('refresh', { refresh_token: session.refresh_token })).status).toBe(401);
  expect(await post('reset-password', { token: reset, new_password: 'resurrected now' })).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_token' } },
  });
  expect(await post('login', credentials(ada))).toMatchObject({
    status: 403,
    body: { error: { code: 'account_scheduled_for_deletion' } },
  });
  expect((await post('login', { email: ada.email, password: 'wrong one' })).status).toBe(401);
  const before = await outboxOf(service, ada.email);
  expectStatus(await post('forgot-password', { email: ada.email }), 200);
  await mailWith(service, (await service.signUp()).email, 'Confirm your e-mail address');
  expect(await outboxOf(service, ada.email)).toHaveLength(before.length);
});

test('POST /v1/auth/restore: 200 like login until the last second; keys work again, old sessions do not', async () => {
  const ada = await service.signUp();
  const key = expectStatus(
    await service.call('POST', '/v1/auth/api-keys', { as: ada.token, body: { name: 'k', scopes: ['agents:read'] } }),
    201,
  ).body.key;
  await remove(ada.token);
  clock.advance(30 * dayMs - 1_000);
  expect((await post('restore', { email: ada.email, password: 'wrong one' })).status).toBe(401);
  const answer = expectStatus(await post('restore', credentials(ada)), 200).body;
  expect(Object.keys(answer).toSorted()).toEqual(['access_token', 'expires_in', 'refresh_token', 'user']);
  for (const as of [answer.access_token, key])
    expect((await service.call('GET', '/v1/agents', { as })).status).toBe(200);
  expect((await service.call('GET', '/v1/auth/me', { as: ada.token })).status).toBe(401);
  expect((await post('login', credentials(ada))).status).toBe(200);
  expect(await post('restore', credentials(ada))).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
});

test('after the grace period there is no way back, whether the purge has run or not', async () => {
  const ada = await service.signUp();
  await remove(ada.token);
  clock.advance(30 * dayMs);
  expect(await post('restore', credentials(ada))).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_credentials' } },
  });
});
