import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Answer } from '../support/client.ts';
import { limitsTime } from '../support/wall-clock.ts';

let app: TestApp;
let second: TestApp;

beforeAll(async () => {
  const secrets = { AUTH_SECRET: 'a'.repeat(32), ENCRYPTION_KEYS: 'e'.repeat(32) };
  app = await startTestApp({ env: { ...secrets, RATE_LIMITS: '{}' } });
  second = await startTestApp({ env: { ...secrets, RATE_LIMITS: '{}' }, databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await second.close();
  await app.close();
});

/** A refused text counts like any other request, without synthesis. */
const speak = (on: TestApp, as: string): Promise<Answer> =>
  on.call('POST', '/v1/voice/tts', { as, body: { text: '' } });
const hear = (on: TestApp, as: string): Promise<Answer> => on.call('POST', '/v1/voice/stt', { as, body: {} });
const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'));

test.each([
  ['free', 100, 60],
  ['plus', 100, 60],
  ['pro', 1_000, 600],
  ['creator', 1_000, 600],
] as const)('the plan %s has %i requests for speech and %i for text a minute', limitsTime, async (plan, tts, stt) => {
  const { token } = await app.signUp({ plan });
  for (const [call, limit] of [
    [speak, tts],
    [hear, stt],
  ] as const) {
    const first = await call(app, token);
    expect(first.headers.get('x-ratelimit-limit')).toBe(String(limit));
    expect(remaining(first)).toBe(limit - 1);
    const reset = Number(first.headers.get('x-ratelimit-reset'));
    expect(reset - Date.now() / 1_000).toBeGreaterThan(50);
    expect(reset - Date.now() / 1_000).toBeLessThanOrEqual(61);
  }
});

test('admits the 100th request of a minute and not the 101st, on any instance and with any credential', async () => {
  const { token } = await app.signUp();
  const key = await app.call('POST', '/v1/auth/api-keys', { as: token, body: { name: 'v', scopes: ['voice:use'] } });
  const calls = Array.from({ length: 100 }, (_, i) => speak(i % 2 ? app : second, i % 3 ? token : key.body.key));
  const admitted = await Promise.all(calls);
  expect(admitted.map(({ status }) => status)).toEqual(Array(100).fill(400));
  expect(admitted.map(remaining).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  for (const on of [app, second]) {
    const refused = await speak(on, key.body.key);
    expect([refused.status, refused.body.error.code, remaining(refused)]).toEqual([429, 'rate_limited', 0]);
    expect(refused.headers.get('x-ratelimit-limit')).toBe('100');
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
  }
  const graphql = await app.graphql('mutation { synthesizeSpeech(input: { text: "Hello." }) { mediaType } }', {
    as: token,
  });
  expect(graphql.body.errors[0].extensions.code).toBe('RATE_LIMITED');
});

test('the limit for speech does not affect others', async () => {
  const { token } = await app.signUp();
  const before = remaining(await app.call('GET', '/v1/auth/me', { as: token }));
  await speak(app, token);
  await hear(app, token);
  const after = await app.call('GET', '/v1/auth/me', { as: token });
  expect(remaining(after)).toBe(before - 1);
  expect(after.headers.get('x-ratelimit-limit')).toBe('600');
});

test('RATE_LIMITS changes one limit and keeps the others', async () => {
  const other = await startTestApp({ env: { RATE_LIMITS: '{"tts":{"free":2}}' } });
  const { token } = await other.signUp();
  expect((await speak(other, token)).headers.get('x-ratelimit-limit')).toBe('2');
  expect((await hear(other, token)).headers.get('x-ratelimit-limit')).toBe('60');
  await other.close();
});
