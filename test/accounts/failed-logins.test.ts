import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let first: TestApp;
let second: TestApp;

beforeAll(async () => {
  first = await startTestApp();
  second = await startTestApp({ databaseUrl: first.databaseUrl, env: { TRUST_PROXY: 'true' } });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

const login = (service: TestApp, email: string, password: string, headers = {}) =>
  service.call('POST', '/v1/auth/login', { body: { email, password }, headers });
const fail = (service: TestApp, { email }: Pick<Account, 'email'>) => login(service, email, 'not the password');

test('ten failures lock the pair of IP address and e-mail address on every instance, and no other IP address', async () => {
  const ada = await first.signUp();
  for (let i = 0; i < 10; i++) expect((await fail(i % 2 ? first : second, ada)).status).toBe(401);
  for (const service of [first, second]) {
    const locked = await login(service, ada.email, ada.password);
    expect(locked).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    const seconds = Number(locked.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(850);
    expect(seconds).toBeLessThanOrEqual(900);
  }
  const elsewhere = await login(second, ada.email, ada.password, { 'x-forwarded-for': '198.51.100.7' });
  expect(elsewhere.status).toBe(200);
});

test('forty guesses at once get ten attempts', async () => {
  const ada = await first.signUp();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => fail(i % 2 ? first : second, ada)));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
});

test('thirty correct logins at once on two instances do not lock the pair', async () => {
  const ada = await first.signUp();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => login(i % 2 ? first : second, ada.email, ada.password)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
});

test('a correct password resets the count, and an unknown e-mail address is locked like a known one', async () => {
  const ada = await first.signUp();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 6; i++) expect((await fail(first, ada)).status).toBe(401);
    expect((await login(first, ada.email, ada.password)).status).toBe(200);
  }
  const nobody = { email: 'nobody@example.com' };
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) statuses.push((await fail(first, nobody)).status);
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
});

test('failures are in the audit log of the account', async () => {
  const ada = await first.signUp();
  await fail(first, ada);
  const event = await eventually(async () => {
    const { body } = await first.call('GET', '/v1/auth/audit-log', { as: ada.token });
    return (body.data as { action: string; ip: string }[]).find(({ action }) => action === 'login.failed');
  });
  expect(event.ip).toBe('127.0.0.1');
});
