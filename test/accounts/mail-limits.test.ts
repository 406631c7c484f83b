import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let service: TestApp;
const limits = { mailsPerMailboxHour: 3, registrationsPerDomainHour: 4, registrationsPerAddressHour: 5 };
let number = 0;

beforeAll(async () => {
  service = await startTestApp({ env: { RATE_LIMITS: JSON.stringify(limits), TRUST_PROXY: 'true' } });
});
afterAll(() => service?.close());

const register = (email: string, from = '127.0.0.1') =>
  service.call('POST', '/v1/auth/register', {
    body: { email, password: 'correct horse battery' },
    headers: { 'x-forwarded-for': from },
  });
const tooMany = { status: 429, body: { error: { code: 'rate_limited' } } };

describe('registrations', () => {
  test('of one mailbox are limited, whatever its address is written like', async () => {
    for (const email of ['victim+1@gmail.com', 'v.i.ctim+2@gmail.com', 'VICTIM+a+b@googlemail.com'])
      expectStatus(await register(email), 201);
    const refused = await register('vic.tim+4@gmail.com');
    expect(refused).toMatchObject(tooMany);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expectStatus(await register('another.victim@gmail.com'), 201);
  });

  test('of one domain are limited, because all its addresses may lead to one person', async () => {
    for (let n = 0; n < limits.registrationsPerDomainHour; n++)
      expectStatus(await register(`person${n}@catch-all.example`), 201);
    expect(await register('last@Catch-All.example')).toMatchObject(tooMany);
  });

  test('of one public network are limited', async () => {
    const from = (host: number) => `2001:4860:4860:1::${host}`;
    for (let n = 0; n < limits.registrationsPerAddressHour; n++)
      expectStatus(await register(`a@host${number++}.example`, from(n + 1)), 201);
    expect(await register(`a@host${number++}.example`, from(99))).toMatchObject(tooMany);
    expectStatus(await register(`a@host${number++}.example`, '2001:4860:4860:2::1'), 201);
  });
});

test('mails to one mailbox are limited, whichever account requests them', async () => {
  const accounts = [];
  for (const email of ['target+1@mail.example', 'target+2@mail.example'])
    accounts.push(expectStatus(await register(email), 201).body);
  const resend = (token: string) => service.call('POST', '/v1/auth/resend-verification', { as: token });
  expectStatus(await resend(accounts[0].access_token), 200);
  expect(await resend(accounts[1].access_token)).toMatchObject(tooMany);

  const other = expectStatus(await register('eve@elsewhere.example'), 201).body;
  const body = { new_email: 'tar.get+3@mail.example', current_password: 'correct horse battery' };
  expect(await service.call('POST', '/v1/auth/change-email', { as: other.access_token, body })).toMatchObject(tooMany);

  // Reveals nothing, and sends nothing.
  const forgot = { email: 'target+1@mail.example' };
  expectStatus(await service.call('POST', '/v1/auth/forgot-password', { body: forgot }), 200);
  await eventually(async () => {
    const left = await service.db.query(`select from tasks where kind = 'account.forgotten-password'`);
    return left.rows.length === 0;
  });
  const sent = await service.db.query(`select from account_tokens where kind = 'reset'`);
  expect(sent.rows).toEqual([]);
});

test.each(['r&d@', 'a/b=c@', '#tag@'])('accepts the local part of %s, and signs in', async (local) => {
  const email = `${local}host${number++}.example`;
  expectStatus(await register(email), 201);
  const login = { email: email.toUpperCase(), password: 'correct horse battery' };
  expectStatus(await service.call('POST', '/v1/auth/login', { body: login }), 200);
});

test('stores an internationalized domain in ASCII, and signs in with both forms', async () => {
  expect(expectStatus(await register('ada@bücher.example'), 201).body.user.email).toBe('ada@xn--bcher-kva.example');
  for (const email of ['ada@bücher.example', 'Ada@xn--bcher-kva.example']) {
    const body = { email, password: 'correct horse battery' };
    expectStatus(await service.call('POST', '/v1/auth/login', { body }), 200);
  }
});

test('refuses a local part of 65 characters and names the field', async () => {
  expect(await register(`${'a'.repeat(65)}@example.com`)).toMatchObject({
    status: 400,
    body: { error: { details: [{ field: 'email', code: 'invalid' }] } },
  });
});
