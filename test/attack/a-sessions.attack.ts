import { expect } from 'vitest';
import { type Account, type Client, expectStatus } from '../support/client.ts';
import { attack } from './lab/attack.ts';
import { openLab, raw } from './lab/lab.ts';
import { askForReset, login } from './lab/sign-in.ts';

const lab = openLab();
const a = await lab.open.signUp();

attack('A11', 'a token after logout, reset, change of password, deletion and change of plan', async (score) => {
  const ends: [string, (account: Account) => Promise<unknown>][] = [
    ['logout', ({ token }) => lab.open.call('POST', '/v1/auth/logout', { as: token })],
    ['deletion', ({ token }) => lab.open.call('DELETE', '/v1/auth/me', { as: token })],
    [
      'reset',
      async ({ email }) => {
        const token = await askForReset(lab.open, email);
        expectStatus(
          await lab.open.call('POST', '/v1/auth/reset-password', { body: { token, new_password: 'another password' } }),
          200,
        );
      },
    ],
    [
      'change of password elsewhere',
      async ({ email, password }) => {
        const { access_token: as } = expectStatus(await login(lab.open, email, password), 200).body;
        const body = { current_password: password, new_password: 'another password' };
        expectStatus(await lab.open.call('POST', '/v1/auth/change-password', { as, body }), 200);
      },
    ],
  ];
  await score.each(ends, async ([, end]) => {
    const account = await lab.open.signUp();
    for (const service of [lab.open, lab.open.other])
      expectStatus(await service.call('GET', '/v1/auth/me', { as: account.token }), 200);
    await end(account);
    const after = await Promise.all(
      [lab.open, lab.open.other].map((service) => service.call('GET', '/v1/auth/me', { as: account.token })),
    );
    return after.every(({ status }) => status === 401) ? null : 'the token still works';
  });
  const account = await lab.open.signUp();
  await lab.open.db.query(`update users set plan = 'pro' where id = $1`, [account.id]);
  for (const service of [lab.open, lab.open.other]) {
    score.tried();
    expect((await service.call('GET', '/v1/auth/me', { as: account.token })).body.plan).toBe('pro');
  }
});

attack('A12', 'one refresh token used twenty times at once, and again after the window', async (score) => {
  const account = await lab.open.signUp();
  const { refresh_token: token } = expectStatus(await login(lab.open, account.email, account.password), 200).body;
  const refresh = (service: Client, given: string) =>
    service.call('POST', '/v1/auth/refresh', { body: { refresh_token: given } });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => refresh(i % 2 ? lab.open : lab.open.other, token)),
  );
  score.tried(21);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
  const successor = answers[0]?.body;
  await lab.open.db.query(
    `update refresh_tokens set used_at = used_at - interval '11 s' where session_id in (select id from sessions where user_id = $1)`,
    [account.id],
  );
  expect((await refresh(lab.open, token)).status).toBe(401);
  expect((await refresh(lab.open.other, successor.refresh_token)).status).toBe(401);
  expect((await lab.open.other.call('GET', '/v1/auth/me', { as: successor.access_token })).status).toBe(401);
  const log = await lab.open.call('GET', '/v1/auth/audit-log', { as: account.token });
  expect(log.body.data.map(({ action }: { action: string }) => action)).toContain('session.token_reused');
});

attack('A13', 'a credential in the query, in a cookie, with another scheme, twice, and too long', async (score) => {
  const { token } = a;
  const path = '/v1/auth/me';
  const wrong = [
    ...['access_token', 'token', 'authorization', 'api_key', 'key', 'jwt'].map((name) => ({
      path: `${path}?${name}=${token}`,
    })),
    ...['access_token', 'token', 'session', 'Authorization'].map((name) => ({
      path,
      headers: { cookie: `${name}=${token}` },
    })),
    ...['Basic', 'Token', 'Digest', 'Negotiate', 'Bearer,', 'Bearer:', 'Bearer  ', 'Bearer\t', ''].map((scheme) => ({
      path,
      headers: { authorization: `${scheme} ${token}` },
    })),
    ...['x-api-key', 'x-access-token', 'proxy-authorization', 'x-authorization', 'x-forwarded-authorization'].map(
      (name) => ({ path, headers: { [name]: `Bearer ${token}` } }),
    ),
    ...[
      `Bearer ${token},Bearer ${token}`,
      `Bearer ${token} x`,
      `Bearer ${token}.`,
      `Bearer ${'A'.repeat(8_192)}`,
      `Bearer "${token}"`,
    ].map((authorization) => ({ path, headers: { authorization } })),
    { path, headers: { authorization: [`Bearer wrong`, `Bearer ${token}`] } },
    { path, headers: { 'x-user-id': a.id, 'x-forwarded-user': a.id, 'remote-user': a.email, 'x-original-user': a.id } },
  ];
  await score.each(wrong, async (one) => {
    const { status } = await raw(lab.open.baseUrl, one);
    return [400, 401].includes(status) ? null : `${status}`;
  });
});

attack('A14', 'everything that an account could do before its deletion was scheduled', async (score) => {
  const account = await lab.open.signUp();
  const { token: as } = account;
  const { key } = expectStatus(
    await lab.open.call('POST', '/v1/auth/api-keys', { as, body: { name: 'k', scopes: ['account:read'] } }),
    201,
  ).body;
  const { refresh_token } = expectStatus(await login(lab.open, account.email, account.password), 200).body;
  const token = await askForReset(lab.open, account.email);
  expectStatus(await lab.open.call('DELETE', '/v1/auth/me', { as }), 200);
  const tries: [string, number, () => Promise<{ status: number }>][] = [
    ['login', 403, () => login(lab.open, account.email, account.password)],
    ['login with a wrong password', 401, () => login(lab.open, account.email, 'not the password')],
    ['token', 401, () => lab.open.call('GET', '/v1/auth/me', { as })],
    ['key', 401, () => lab.open.other.call('GET', '/v1/auth/me', { as: key })],
    ['refresh', 401, () => lab.open.call('POST', '/v1/auth/refresh', { body: { refresh_token } })],
    [
      'reset',
      400,
      () => lab.open.call('POST', '/v1/auth/reset-password', { body: { token, new_password: 'another password' } }),
    ],
    [
      'registering it again',
      409,
      () =>
        lab.open.call('POST', '/v1/auth/register', { body: { email: account.email, password: 'another password' } }),
    ],
    [
      'restoring with a wrong password',
      401,
      () => lab.open.call('POST', '/v1/auth/restore', { body: { email: account.email, password: 'not the password' } }),
    ],
  ];
  await score.each(tries, async ([, expected, act]) => {
    const { status } = await act();
    return status === expected ? null : `${status}`;
  });
  const restored = await lab.open.call('POST', '/v1/auth/restore', {
    body: { email: account.email, password: account.password },
  });
  expect(restored.status).toBe(200);
});
