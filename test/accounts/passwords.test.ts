import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createTestClock } from '../support/clock.ts';
import { mailWith, outboxOf, tokenIn } from '../support/outbox.ts';

let service: TestApp;
const clock = createTestClock(new Date());
const subjects = {
  verify: 'Confirm your e-mail address',
  reset: 'Set a new password',
  changed: 'Your password was changed',
};

beforeAll(async () => {
  service = await startTestApp({ clock, env: { PUBLIC_URL: 'https://chat.example' } });
});
afterAll(() => service.close());

const post = (path: string, body?: unknown, as?: string, headers = {}) =>
  service.call('POST', `/v1/auth/${path}`, { as, body, headers });
const me = (as: string) => service.call('GET', '/v1/auth/me', { as });
const login = ({ email, password }: Pick<Account, 'email' | 'password'>) => post('login', { email, password });
const newPassword = 'another battery staple';

async function resetToken(email: string): Promise<string> {
  const before = await outboxOf(service, email);
  expectStatus(await post('forgot-password', { email }), 200);
  return tokenIn(await mailWith(service, email, subjects.reset, before));
}

describe('POST /v1/auth/verify-email', () => {
  test('accepts the token of the registration mail once; the mailed link has the configured host', async () => {
    const ada = await service.signUp();
    const mail = await mailWith(service, ada.email, subjects.verify);
    const token = tokenIn(mail);
    expect(mail.text).toContain(`https://chat.example/verify-email#token=${token}`);
    expect(mail.html).toContain(`href="https://chat.example/verify-email#token=${token}"`);
    const answer = await post('verify-email', { token }, ada.token);
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String), email_verified: true } });
    expect((await me(ada.token)).body.email_verified).toBe(true);
    expect(await post('verify-email', { token }, ada.token)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_token' } },
    });
  });

  test('rejects the token of another user, a reset token, an unknown one and an expired one', async () => {
    const [ada, bob] = [await service.signUp(), await service.signUp()];
    const ofBob = tokenIn(await mailWith(service, bob.email, subjects.verify));
    const ofReset = await resetToken(ada.email);
    for (const token of [ofBob, ofReset, `vt_${'A'.repeat(43)}`]) {
      expect(await post('verify-email', { token }, ada.token)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_token' } },
      });
    }
    expect((await me(bob.token)).body.email_verified).toBe(false);
    expect((await post('verify-email', { token: ofBob }, bob.token)).status).toBe(200);

    const eve = await service.signUp();
    const late = tokenIn(await mailWith(service, eve.email, subjects.verify));
    clock.advance(24 * 3_600_000);
    const again = expectStatus(await login(eve), 200).body.access_token;
    expect((await post('verify-email', { token: late }, again)).status).toBe(400);
  });

  test('returns 400 without a token and 401 without a credential', async () => {
    const ada = await service.signUp();
    expect((await post('verify-email', {}, ada.token)).body.error.details).toMatchObject([{ field: 'token' }]);
    expect((await post('verify-email', { token: 'vt_x' })).status).toBe(401);
  });
});

test('POST /v1/auth/resend-verification sends at most five mails an hour, and none once the address is verified', async () => {
  const ada = await service.signUp();
  for (let i = 0; i < 4; i++) expectStatus(await post('resend-verification', undefined, ada.token), 200);
  const limited = await post('resend-verification', undefined, ada.token);
  expect(limited).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3_500);
  clock.advance(3_600_000 - 1);
  const fresh = expectStatus(await login(ada), 200).body.access_token;
  clock.advance(1);
  const before = await outboxOf(service, ada.email);
  expectStatus(await post('resend-verification', undefined, fresh), 200);
  const token = tokenIn(await mailWith(service, ada.email, subjects.verify, before));
  expectStatus(await post('verify-email', { token }, fresh), 200);
  const count = (await outboxOf(service, ada.email)).length;
  expectStatus(await post('resend-verification', undefined, fresh), 200);
  await mailWith(service, (await service.signUp()).email, subjects.verify);
  expect(await outboxOf(service, ada.email)).toHaveLength(count);
});

describe('POST /v1/auth/forgot-password', () => {
  test('returns the same response for known and unknown addresses, and ignores the host of the request', async () => {
    const ada = await service.signUp();
    const host = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const known = await post('forgot-password', { email: ada.email.toUpperCase() }, undefined, host);
    const unknown = await post('forgot-password', { email: 'nobody@example.com' }, undefined, host);
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect(known.status).toBe(200);
    const mail = await mailWith(service, ada.email, subjects.reset);
    expect(mail.text + mail.html).not.toContain('evil.example');
    expect(mail.text).toContain('https://chat.example/reset-password#token=rst_');
  });

  test('rejects text that is not an e-mail address', async () => {
    expect((await post('forgot-password', { email: 'ada' })).status).toBe(400);
    expect((await post('forgot-password', {})).status).toBe(400);
  });

  test('sends at most five mails an hour to an account', async () => {
    const ada = await service.signUp();
    for (let i = 0; i < 8; i++) {
      expectStatus(await post('forgot-password', { email: ada.email }), 200);
      await drained('account.forgotten-password');
    }
    await drained('mail');
    const mails = (await outboxOf(service, ada.email)).filter((mail) => mail.subject === subjects.reset);
    expect(mails).toHaveLength(5);
  });
});

const drained = async (kind: string) => {
  const { eventually } = await import('../support/eventually.ts');
  await eventually(async () => (await service.db.query('select from tasks where kind = $1', [kind])).rowCount === 0);
};

describe('POST /v1/auth/reset-password', () => {
  test('200 for one of twenty at once; every session and refresh token ends, and the owner is notified', async () => {
    const ada = await service.signUp();
    const session = expectStatus(await login(ada), 200).body;
    const token = await resetToken(ada.email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('reset-password', { token, new_password: newPassword })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(400)]);
    for (const dead of [ada.token, session.access_token]) expect((await me(dead)).status).toBe(401);
    expect((await post('refresh', { refresh_token: session.refresh_token })).status).toBe(401);
    expect((await login(ada)).status).toBe(401);
    expect((await login({ ...ada, password: newPassword })).status).toBe(200);
    await mailWith(service, ada.email, subjects.changed);
  });

  test('rejects a token that is used, expired, altered, of another kind or older than a reset', async () => {
    const ada = await service.signUp();
    const verify = tokenIn(await mailWith(service, ada.email, subjects.verify));
    const [first, second] = [await resetToken(ada.email), await resetToken(ada.email)];
    const changed = first.slice(0, -1) + (first.endsWith('A') ? 'B' : 'A');
    for (const token of [verify, changed, '', 'rst_'])
      expect((await post('reset-password', { token, new_password: newPassword })).status).toBe(400);
    expectStatus(await post('reset-password', { token: first, new_password: newPassword }), 200);
    for (const token of [first, second]) {
      expect(await post('reset-password', { token, new_password: 'yet another one' })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_token' } },
      });
    }
    const third = await resetToken(ada.email);
    clock.advance(3_600_000);
    expect((await post('reset-password', { token: third, new_password: 'yet another one' })).status).toBe(400);
  });

  test('rejects a weak password without using up the token', async () => {
    const ada = await service.signUp();
    const token = await resetToken(ada.email);
    for (const weak of ['short', ada.email]) {
      const answer = await post('reset-password', { token, new_password: weak });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
      expect(answer.body.error.details[0].field).toBe('new_password');
    }
    expectStatus(await post('reset-password', { token, new_password: newPassword }), 200);
  });
});

describe('POST /v1/auth/change-password', () => {
  test('200: the other sessions end, this one stays valid', async () => {
    const ada = await service.signUp();
    const { access_token: here, refresh_token: refresh } = expectStatus(await login(ada), 200).body;
    const body = { current_password: ada.password, new_password: newPassword };
    expectStatus(await post('change-password', body, here), 200);
    expect((await me(ada.token)).status).toBe(401);
    expect((await me(here)).status).toBe(200);
    expect((await post('refresh', { refresh_token: refresh })).status).toBe(200);
    expect((await login({ ...ada, password: newPassword })).status).toBe(200);
    await mailWith(service, ada.email, subjects.changed);
  });

  test('returns 401 for a wrong current password and 400 for a weak new one', async () => {
    const ada = await service.signUp();
    const wrong = { current_password: 'not the one', new_password: newPassword };
    expect(await post('change-password', wrong, ada.token)).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_credentials' } },
    });
    const weak = { current_password: ada.password, new_password: 'short' };
    expect((await post('change-password', weak, ada.token)).body.error.details[0].field).toBe('new_password');
    expect((await login(ada)).status).toBe(200);
  });
});

test('of two password changes at once with the same current password, one succeeds', async () => {
  const ada = await service.signUp();
  const change = (password: string) =>
    post('change-password', { current_password: ada.password, new_password: password }, ada.token);
  const answers = await Promise.all([change('first new password'), change('second new password')]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
});

test('the database holds no mailed token in plain text', async () => {
  const ada = await service.signUp();
  const tokens = [tokenIn(await mailWith(service, ada.email, subjects.verify)), await resetToken(ada.email)];
  const { rows } = await service.db.query<{ row: string }>(
    `select t::text as row from account_tokens t union all select m::text from mails m
     union all select o::text from outbox_mails o union all select t::text from tasks t`,
  );
  for (const token of tokens) expect(rows.filter(({ row }) => row.includes(token.slice(4)))).toEqual([]);
});
