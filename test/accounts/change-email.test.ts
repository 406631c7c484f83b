import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, type Answer, expectStatus } from '../support/client.ts';
import { createTestClock } from '../support/clock.ts';
import { mailWith, outboxOf, tokenIn } from '../support/outbox.ts';

let service: TestApp;
const clock = createTestClock(new Date());
beforeAll(async () => {
  service = await startTestApp({ clock });
});
afterAll(() => service.close());

const newAddress = () => `${randomUUID()}@example.com`;
const confirmSubject = 'Confirm your new e-mail address';
const changedSubject = 'Your e-mail address was changed';
const post = (path: string, body: object, as?: string): Promise<Answer> =>
  service.call('POST', `/v1/auth/${path}`, { as, body });
const login = ({ email, password }: Pick<Account, 'email' | 'password'>) => post('login', { email, password });
const request = ({ token, password }: Account, email: string) =>
  post('change-email', { new_email: email, current_password: password }, token);
const emailOf = async (as: string) => (await service.call('GET', '/v1/auth/me', { as })).body;
const code = (answer: Answer) => [answer.status, answer.body.error?.code];

async function requested(account: Account, email: string): Promise<string> {
  const before = await outboxOf(service, email);
  expectStatus(await request(account, email), 200);
  return tokenIn(await mailWith(service, email, confirmSubject, before));
}

describe('POST /v1/auth/change-email', () => {
  test('changes the address once the new one is confirmed, writes to both and ends the other sessions', async () => {
    const ada = await service.signUp();
    const email = newAddress();
    const other = expectStatus(await login(ada), 200).body.access_token;
    const token = await requested(ada, email);
    expect((await mailWith(service, ada.email, 'Your e-mail address is about to change')).text).toContain(email);
    expect(await emailOf(ada.token)).toMatchObject({ email: ada.email, email_verified: false });

    expect(await post('verify-email', { token }, ada.token)).toMatchObject({ body: { email_verified: true } });
    expect(await emailOf(ada.token)).toMatchObject({ email, email_verified: true });
    expect((await service.call('GET', '/v1/auth/me', { as: other })).status).toBe(401);
    expect(code(await login(ada))).toEqual([401, 'invalid_credentials']);
    expect((await login({ ...ada, email })).status).toBe(200);
    await Promise.all([mailWith(service, ada.email, changedSubject), mailWith(service, email, changedSubject)]);
    const { body } = await service.call('GET', '/v1/auth/audit-log', { as: ada.token });
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['email.change_requested', 'email.changed']),
    );
    expect(code(await post('verify-email', { token }, ada.token))).toEqual([400, 'invalid_token']);
  });

  test('invalidates reset tokens that were mailed to the old address', async () => {
    const ada = await service.signUp();
    expectStatus(await post('forgot-password', { email: ada.email }), 200);
    const reset = tokenIn(await mailWith(service, ada.email, 'Set a new password'));
    const token = await requested(ada, newAddress());
    expectStatus(await post('verify-email', { token }, ada.token), 200);
    const answer = await post('reset-password', { token: reset, new_password: 'another battery staple' });
    expect(code(answer)).toEqual([400, 'invalid_token']);
  });

  test('accepts only the newest token, from its own account, for 24 hours and until the password changes', async () => {
    const [ada, bob] = [await service.signUp(), await service.signUp()];
    const first = await requested(ada, newAddress());
    const second = await requested(ada, newAddress());
    expect(code(await post('verify-email', { token: first }, ada.token))).toEqual([400, 'invalid_token']);
    expect(code(await post('verify-email', { token: second }, bob.token))).toEqual([400, 'invalid_token']);
    const change = { current_password: ada.password, new_password: 'another battery staple' };
    expectStatus(await post('change-password', change, ada.token), 200);
    expect(code(await post('verify-email', { token: second }, ada.token))).toEqual([400, 'invalid_token']);

    const late = await requested(bob, newAddress());
    clock.advance(24 * 3_600_000 + 1);
    const { access_token: as } = expectStatus(await login(bob), 200).body;
    expect(code(await post('verify-email', { token: late }, as))).toEqual([400, 'invalid_token']);
  });

  test('rejects a wrong password, an invalid or the current address, and one that another account has or takes', async () => {
    const [ada, bob] = [await service.signUp(), await service.signUp()];
    expect(code(await request({ ...ada, password: 'wrong' }, newAddress()))).toEqual([401, 'invalid_credentials']);
    for (const email of ['nobody', ada.email.toUpperCase()]) {
      expect(await request(ada, email)).toMatchObject({
        status: 400,
        body: { error: { details: [{ field: 'new_email' }] } },
      });
    }
    expect(code(await request(ada, bob.email))).toEqual([409, 'email_taken']);
    const email = newAddress();
    const token = await requested(ada, email);
    await service.signUp({ email });
    expect(code(await post('verify-email', { token }, ada.token))).toEqual([409, 'email_taken']);
    expect(await emailOf(ada.token)).toMatchObject({ email: ada.email });
  });
});
