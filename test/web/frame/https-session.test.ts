import { afterAll, beforeAll, expect, test } from 'vitest';
import { findConsole } from '../../../src/http/console/console.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';

const origin = 'https://chat.example.com';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ consoleFolder: findConsole(), env: { PUBLIC_URL: origin } });
});
afterAll(() => app.close());

const post = (action: string, headers: Record<string, string>, body: object = {}) =>
  app.send('POST', `/session/${action}`, { body, headers });

test('over https the cookie of the session is Secure, and only that origin may use it', async () => {
  const credentials = { email: 'https@example.com', password: 'correct horse battery' };
  const response = await post('register', { origin }, credentials);
  const cookie = response.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^__Host-refresh=rt_[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
  const held = cookie.split(';')[0] ?? '';
  for (const foreign of ['http://chat.example.com', 'https://example.com'])
    expect((await post('refresh', { origin: foreign, cookie: held })).status).toBe(403);
  expect((await post('refresh', { origin, cookie: held })).status).toBe(200);
});

test('a cookie without the prefix that binds it to this host is ignored', async () => {
  const credentials = { email: 'shadow@example.com', password: 'correct horse battery' };
  const response = await post('register', { origin }, credentials);
  const token = (response.headers.get('set-cookie') ?? '').split(';')[0]?.split('=')[1] ?? '';
  for (const name of ['__Secure-refresh', 'refresh'])
    expect((await post('refresh', { origin, cookie: `${name}=${token}` })).status).toBe(204);
});
