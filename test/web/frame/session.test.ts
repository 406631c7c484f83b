import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterAll(() => app.close());

const credentials = { email: 'session@example.com', password: 'correct horse battery' };
const own = () => ({ origin: app.baseUrl });
const post = (action: string, body: object, headers: Record<string, string>) =>
  app.send('POST', `/session/${action}`, { body, headers });
const cookieOf = (response: Response): string => response.headers.get('set-cookie')?.split(';')[0] ?? '';

describe('/session', () => {
  test('register starts one session and sets a cookie that no script and no other path sees', async () => {
    const response = await post('register', credentials, own());
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('set-cookie')).toMatch(
      /^refresh=rt_[\w-]+; Path=\/session; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    );
    const body = (await response.json()) as { access_token: string; expires_in: number; user: { email: string } };
    expect([body.expires_in, body.user.email]).toEqual([3600, credentials.email]);
    const sessions = await app.call('GET', '/v1/auth/sessions', { as: body.access_token });
    expect(sessions.body.total).toBe(1);
  });

  test('refresh replaces the cookie with its successor', async () => {
    const first = await post('login', credentials, own());
    const second = await post('refresh', {}, { ...own(), cookie: cookieOf(first) });
    expect(second.status).toBe(200);
    expect(cookieOf(second)).not.toBe(cookieOf(first));
    const { access_token: token } = (await second.json()) as { access_token: string };
    expect((await app.call('GET', '/v1/auth/me', { as: token })).status).toBe(200);
  });

  test('each answer names the last event of the account, so that a page that reads it afterwards misses none', async () => {
    const login = await post('login', credentials, own());
    const { access_token: token } = (await login.json()) as { access_token: string };
    const lastOf = async (response: Response) => ((await response.json()) as { last_event_id: unknown }).last_event_id;
    expect(await lastOf(await post('refresh', {}, { ...own(), cookie: cookieOf(login) }))).toBeNull();
    await app.createAgent(token, { name: 'Ada', instructions: 'You are a tutor.' });
    const { body } = await app.graphql('{ recentEvents(limit: 1) { data { id } } }', { as: token });
    expect(await lastOf(await post('login', credentials, own()))).toBe(body.data.recentEvents.data[0].id);
  });

  test('refresh without a cookie is 204, so that a first visit is no error', async () => {
    expect((await post('refresh', {}, own())).status).toBe(204);
  });

  test('refresh with a spent token is refused and the cookie is cleared', async () => {
    const response = await post('refresh', {}, { ...own(), cookie: 'refresh=rt_unknown' });
    expect([response.status, cookieOf(response)]).toEqual([401, 'refresh=']);
  });

  test.each([
    ['a foreign origin', { origin: 'https://example.com' }],
    ['no origin', {}],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { origin: 'http://localhost:1' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text', { 'content-type': 'text/plain' }],
  ])('%s is refused and spends nothing', async (name, headers) => {
    const login = await post('login', credentials, own());
    const cookie = cookieOf(login);
    const isForm = 'content-type' in headers;
    const refused = await post('refresh', {}, { ...(isForm ? own() : {}), ...headers, cookie });
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    expect([name, refused.status, error.code]).toEqual([name, 403, 'forbidden']);
    expect(error.message).toContain('PUBLIC_URL');
    expect((await post('refresh', {}, { ...own(), cookie })).status).toBe(200);
  });

  test.each([
    ['POST', { origin: 'https://example.com' }, 403],
    ['POST', {}, 403],
    ['POST', { 'content-type': 'text/plain' }, 403],
    ['GET', {}, 404],
  ])('a logout that is refused (%s %o) keeps the session and its cookie', async (method, headers, status) => {
    const login = await post('login', credentials, own());
    const cookie = cookieOf(login);
    const body = method === 'POST' ? { body: {} } : {};
    const refused = await app.send(method, '/session/logout', { ...body, headers: { ...headers, cookie } });
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([status, null]);
    expect((await post('refresh', {}, { ...own(), cookie })).status).toBe(200);
  });

  test('a preflight of another origin is allowed nothing', async () => {
    const response = await app.send('OPTIONS', '/session/refresh', { headers: { origin: 'https://example.com' } });
    expect(response.headers.get('access-control-allow-methods')).toBeNull();
  });

  test('logout ends the session of the cookie and clears it', async () => {
    const login = await post('login', credentials, own());
    const { access_token: token } = (await login.json()) as { access_token: string };
    const logout = await post('logout', {}, { ...own(), cookie: cookieOf(login) });
    expect([logout.status, cookieOf(logout)]).toEqual([204, 'refresh=']);
    expect((await app.call('GET', '/v1/auth/me', { as: token })).status).toBe(401);
  });
});
