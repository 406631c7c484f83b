import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';

/** Requests per credential and minute. */
const limit = 40;
const plans = { free: limit, plus: limit, pro: limit, creator: limit };
let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({ env: { RATE_LIMITS: JSON.stringify({ ...plans, anonymous: 1_000 }) } });
});
afterAll(() => service.close());

async function createKeys(as: string, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < count; n++) {
    const body = { name: `key ${n}`, scopes: ['agents:read'] };
    keys.push(expectStatus(await service.call('POST', '/v1/auth/api-keys', { as, body }), 201).body.key);
  }
  return keys;
}

const list = (as: string) => service.call('GET', '/v1/agents?limit=1', { as });
const statusesOf = (answers: readonly { status: number }[]) => ({
  ok: answers.filter(({ status }) => status === 200).length,
  limited: answers.filter(({ status }) => status === 429).length,
});

describe('the rate limit of an account', () => {
  test('admits twice the limit of a credential, however many keys are used at once', async () => {
    const ada = await service.signUp();
    const made = 5;
    const keys = await createKeys(ada.token, made);
    const answers = await Promise.all(Array.from({ length: 150 }, (_, n) => list(keys[n % made]!)));
    expect(statusesOf(answers)).toEqual({ ok: 2 * limit - made, limited: 150 - (2 * limit - made) });
    const refused = await list(keys[0]!);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expect(refused.headers.get('x-ratelimit-limit')).toBe(String(2 * limit));
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await list(ada.token)).status).toBe(429);
  });

  test('counts the root fields of GraphQL', async () => {
    const ada = await service.signUp();
    const made = 4;
    const keys = await createKeys(ada.token, made);
    const ten = `{ ${Array.from({ length: 10 }, (_, n) => `a${n}: agents(limit: 1) { total }`).join(' ')} }`;
    const answers = [];
    for (let n = 0; n < 10; n++) answers.push(await service.graphql(ten, { as: keys[n % made]! }));
    expect(answers.map(({ body }) => body.data?.a9 !== undefined)).toEqual(answers.map((_, n) => n < 7));
  });

  test('does not refuse one credential because another one of the account is exhausted', async () => {
    const ada = await service.signUp();
    const [busy = '', calm = ''] = await createKeys(ada.token, 2);
    const answers = await Promise.all(Array.from({ length: 3 * limit }, () => list(busy)));
    expect(statusesOf(answers)).toEqual({ ok: limit, limited: 2 * limit });
    const admitted = await list(calm);
    expect(admitted.status).toBe(200);
    // The account has fewer requests left than this credential.
    expect(admitted.headers.get('x-ratelimit-remaining')).toBe(String(2 * limit - 2 - limit - 1));
  });

  test('is separate for each account', async () => {
    const [ada, bob] = [await service.signUp(), await service.signUp()];
    const keys = await createKeys(ada.token, 3);
    await Promise.all(Array.from({ length: 100 }, (_, n) => list(keys[n % 3]!)));
    expect((await list(keys[0]!)).status).toBe(429);
    expect((await list(bob.token)).status).toBe(200);
  });
});
