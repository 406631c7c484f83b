import { request } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../rest/routes/routes.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, type Answer, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp();
  await eventually(async () => (await app.call('GET', '/readyz')).status === 200, { what: 'readiness' });
});
afterAll(() => app.close());

const expectHeaders = ({ headers }: Answer) => {
  expect(Number(headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
  expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThanOrEqual(0);
  expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 - 1);
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-powered-by')).toBeNull();
};

describe('every response', () => {
  test.each([
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['GET', '/metrics', 200],
    ['GET', '/docs', 200],
    ['GET', '/v1/openapi.json', 200],
    ['GET', '/v1/models', 200],
    ['GET', '/v1/auth/me', 401],
    ['GET', '/v1/nothing', 404],
    ['GET', '/nothing', 404],
    ['GET', '/v1/agents/%zz', 404],
    ['DELETE', `/v1/agents/${'x'.repeat(300)}`, 404],
    ['PATCH', '/v1/agents', 405],
    ['OPTIONS', '/v1/agents', 204],
    ['POST', '/v1/auth/login', 415],
  ])('to %s %s has the headers and status %i', async (method, path, status) => {
    const answer = await app.call(
      method,
      path,
      status === 415 ? { headers: { 'content-type': 'text/plain' }, body: 'x' } : {},
    );
    expect(answer.status).toBe(status);
    expectHeaders(answer);
    if (status >= 400)
      expect(answer.body).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
  });

  test('repeats a valid request id and replaces an invalid one', async () => {
    const id = async (given: string) =>
      (await app.call('GET', '/healthz', { headers: { 'x-request-id': given } })).headers.get('x-request-id');
    expect(await id('abc-1.2_3')).toBe('abc-1.2_3');
    expect(await id('a b')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('to invalid HTTP closes the connection, also when the client keeps its side open', async () => {
    const { port } = new URL(app.baseUrl);
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.write('no\r\n\r\n'),
    );
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => undefined).resume();
    // The connection accepts no more data.
    const writing = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(writing);
  });

  test('is sent only within the time limits of a request', () => {
    expect(app.app.server.server).toMatchObject({ headersTimeout: 20_000, requestTimeout: 120_000 });
  });

  test('to invalid HTTP is the error envelope', async () => {
    const text = await rawResponse('NONSENSE\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text).toContain('"code":"invalid_request"');
  });

  test('to oversized headers names the cause', async () => {
    const text = await rawResponse(`GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text).toContain('headers of the request are too large');
  });

  test('to a request that times out is 503 with Retry-After', async () => {
    const { server } = app.app.server;
    const { headersTimeout } = server;
    server.headersTimeout = 10;
    const text = await rawResponse('GET /healthz HTTP/1.1\r\n').finally(() =>
      Object.assign(server, { headersTimeout }),
    );
    expect(text).toMatch(/^HTTP\/1.1 503 /);
    expect(text).toMatch(/^retry-after: 1\r$/m);
    expect(text).toContain('"code":"unavailable"');
  });
});

describe('a connection on which nothing was received in time', () => {
  /** Opens a connection and reports that it has timed out, right after sending bytes that are not read yet. */
  async function timeOut(bytes: string): Promise<string> {
    const { server } = app.app.server;
    const accepted = once(server, 'connection');
    const socket = connect(Number(new URL(app.baseUrl).port), '127.0.0.1').setEncoding('utf8');
    const [[connection]] = await Promise.all([accepted, once(socket, 'connect')]);
    socket.write(bytes);
    server.emit('clientError', Object.assign(new Error('Timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), connection);
    return (await socket.toArray()).join('');
  }

  test('is closed without a response, which a browser would take for that of its next request', async () => {
    expect(await timeOut('')).toBe('');
  });

  test('serves a request that was waiting to be read', async () => {
    const text = await timeOut('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1.1 200 /);
  });
});

/** Sends bytes on a new connection and returns everything received until it is closed. */
async function rawResponse(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(app.baseUrl).port), '127.0.0.1', () => socket.write(bytes));
  return (await socket.setEncoding('utf8').toArray()).join('');
}

describe('the rate limit', () => {
  test('counts down per credential and address, and returns Retry-After', async () => {
    const limited = await startTestApp({
      databaseUrl: app.databaseUrl,
      env: { RATE_LIMITS: JSON.stringify({ free: 3, anonymous: 5 }), AUTH_SECRET: 'z'.repeat(40) },
    });
    const eve = await limited.signUp();
    const remaining = [];
    let last: Answer | undefined;
    for (let i = 0; i < 4; i++) {
      last = await limited.call('GET', '/v1/auth/me', { as: eve.token });
      remaining.push(last.headers.get('x-ratelimit-remaining'));
    }
    expect(remaining).toEqual(['2', '1', '0', '0']);
    expect([last?.status, last?.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.call('GET', '/v1/nothing', { as: eve.token })).status).toBe(404);
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await limited.call('GET', '/v1/models')).status);
    expect(statuses).toContain(429);
    expect((await limited.call('GET', '/healthz')).status).toBe(200);
    await limited.close();
  });
});

describe('the order of checks', () => {
  test('is credential, scope, body, resource', async () => {
    const key = await app.call('POST', '/v1/auth/api-keys', {
      as: ada.token,
      body: { name: 'r', scopes: ['agents:read'] },
    });
    const status = async (as: string | undefined, body: unknown, id = 'nothing') =>
      (await app.call('PUT', `/v1/agents/${id}`, { ...(as ? { as } : {}), body })).status;
    expect(await status(undefined, '{')).toBe(401);
    expect(await status(key.body.key, '{')).toBe(403);
    expect(await status(ada.token, '{')).toBe(400);
    expect(await status(ada.token, { name: 5 })).toBe(400);
    expect(await status(ada.token, { name: 'x' })).toBe(404);
  });

  test('returns 413 for a body over 1 MB', async () => {
    const answer = await app.call('POST', '/v1/agents', {
      as: ada.token,
      body: { name: 'x', instructions: 'y'.repeat(1_048_577) },
    });
    expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large']);
  });

  test('ignores the media type of an empty body where none is expected', async () => {
    const send = async (path: string) => {
      const form = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/x-www-form-urlencoded' };
      return (await fetch(`${app.baseUrl}${path}`, { method: 'POST', headers: form, body: '' })).status;
    };
    expect(await send('/v1/auth/resend-verification')).toBe(200);
    expect(await send('/v1/agents')).toBe(415);
  });

  test.each([
    ['PUT', '/graphql', 'GET, POST, HEAD, OPTIONS'],
    ['PATCH', '/graphql/stream', 'GET, POST, HEAD, OPTIONS'],
    ['POST', '/v1/openapi.json', 'GET, HEAD, OPTIONS'],
    ['POST', '/v1/socket', 'GET, HEAD, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/readyz', 'GET, HEAD, OPTIONS'],
    ['POST', '/metrics', 'GET, HEAD, OPTIONS'],
    ['PUT', '/processor/events', 'POST, OPTIONS'],
    ['DELETE', '/platforms/chat_workspace/events', 'POST, OPTIONS'],
  ])('refuses %s %s with 405, whatever its body', async (method, path, allow) => {
    const answer = await app.call(method, path, { body: 'x', headers: { 'content-type': 'text/plain' } });
    expect([answer.status, answer.body.error.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')).toBe(allow);
  });

  test('asks for the upgrade that a request to the socket lacks', async () => {
    const answer = await app.call('GET', '/v1/socket');
    expect([answer.status, answer.body.error.code]).toEqual([426, 'upgrade_required']);
    expect(answer.headers.get('upgrade')).toBe('websocket');
    expect(answer.body.error.message).toContain('Upgrade: websocket');
  });

  test('lists the methods of a known path for another method', async () => {
    const answer = await app.call('DELETE', '/v1/agents', { as: ada.token });
    expect([answer.status, answer.body.error.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(['GET', 'POST']));
  });
});

describe('credentials', () => {
  test.each(['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', `Bearer ${'x'.repeat(8_000)}`, 'bearer: x'])(
    'of the form %j are refused',
    async (authorization) => {
      const answer = await app.call('GET', '/v1/auth/me', { headers: { authorization } });
      expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthenticated']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  test('are ignored in the query and in cookies', async () => {
    expect(
      (await app.call('GET', `/v1/auth/me?access_token=${ada.token}`, { headers: { cookie: `token=${ada.token}` } }))
        .status,
    ).toBe(401);
  });

  test('are required on every route that is not public', async () => {
    const open = new Set([
      '/auth/register',
      '/auth/login',
      '/auth/refresh',
      '/auth/forgot-password',
      '/auth/reset-password',
      '/auth/restore',
      '/models',
      '/billing/plans',
      '/marketplace',
      '/marketplace/home',
      '/marketplace/agents/:id',
      '/marketplace/agents/:agent_id/reviews',
      '/users/:username',
      '/users/:username/agents',
      '/shares/:token',
      '/reports',
    ]);
    for (const { method, path } of routes.filter((route) => !open.has(route.path))) {
      const answer = await app.call(
        method,
        `/v1${path.replace(/:\w+/g, 'x')}`,
        method === 'GET' || method === 'DELETE' ? {} : { body: {} },
      );
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 401 });
    }
  });
});

describe('operations', () => {
  test('readiness lists each dependency', async () => {
    expect(expectStatus(await app.call('GET', '/readyz'), 200).body).toMatchObject({
      status: 'ok',
      checks: { database: 'ok' },
    });
  });

  test('metrics count requests by route, never by path', async () => {
    await app.call('GET', '/v1/agents/01a1fc1d-26e4-732d-bf43-047d1963eb06', { as: ada.token });
    const { body } = await app.call('GET', '/metrics');
    expect(body).toContain('route="/v1/agents/:id"');
    expect(body).not.toContain('01a1fc1d-26e4-732d-bf43-047d1963eb06');
  });

  test('any origin may call with a bearer credential, never with cookies', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const answer = await app.call('OPTIONS', '/v1/agents', { headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

test('the development routes answer only to this machine and the address of the service, whatever name points here', async () => {
  const local = await startTestApp({ env: { PUBLIC_URL: 'https://chat.example' } });
  try {
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request(`${local.baseUrl}/dev/mail`, { headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.once('error', reject).end();
      });
    const { port } = new URL(local.baseUrl);
    const statuses = [
      'rebound.example',
      `rebound.example:${port}`,
      `localhost:${port}`,
      `127.0.0.1:${port}`,
      'chat.example',
    ];
    expect(await Promise.all(statuses.map(statusFor))).toEqual([403, 403, 200, 200, 200]);
  } finally {
    await local.close();
  }
});
