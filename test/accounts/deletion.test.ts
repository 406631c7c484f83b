import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createTestClock } from '../support/clock.ts';
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

test('DELETE /v1/auth/me returns both times and disables every credential', async () => {
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

test('POST /v1/auth/restore logs in until the last second; API keys work again, old sessions do not', async () => {
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

test('an account cannot be restored after the grace period, even before the purge has run', async () => {
  const ada = await service.signUp();
  await remove(ada.token);
  clock.advance(30 * dayMs);
  expect(await post('restore', credentials(ada))).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_credentials' } },
  });
});

test('the public agents of a deleted account are hidden immediately and visible again after a restore', async () => {
  const [ada, bob] = [await service.signUp(), await service.signUp()];
  const agent = await service.createAgent(ada.token, { name: 'Hidden tutor', is_public: true });
  const get = async () => (await service.call('GET', `/v1/agents/${agent.id}`, { as: bob.token })).status;
  const explore = async () => {
    const answers = await Promise.all(
      ['', '&q=hidden'].map((query) =>
        service.call('GET', `/v1/agents/explore?sort=recent${query}`, { as: bob.token }),
      ),
    );
    return answers.map(({ body }) => body.data.some(({ id }: { id: string }) => id === agent.id) as boolean);
  };
  const talk = async () =>
    (await service.call('POST', '/v1/conversations', { as: bob.token, body: { agent_id: agent.id } })).status;
  expect([await get(), await explore(), await talk()]).toEqual([200, [true, true], 201]);
  const { total } = (await service.call('GET', '/v1/agents/explore', { as: bob.token })).body;
  await remove(ada.token);
  expect([await get(), await explore(), await talk()]).toEqual([404, [false, false], 404]);
  expect((await service.call('GET', '/v1/agents/explore', { as: bob.token })).body.total).toBe(total - 1);
  expectStatus(await post('restore', credentials(ada)), 200);
  expect([await get(), await explore()]).toEqual([200, [true, true]]);
});
