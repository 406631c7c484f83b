import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
let token: string;

beforeAll(async () => {
  app = await startTestApp({ env: { GRAPHQL_INTROSPECTION: 'false' } });
  ({ token } = await app.signUp());
});
afterAll(() => app.close());

const open = (accept: string | null, body: unknown = { query: 'subscription { events { id } }' }): Promise<Response> =>
  fetch(`${app.baseUrl}/graphql/stream`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(accept === null ? {} : { accept }),
    },
  });

describe('/graphql/stream', () => {
  test.each([
    null,
    '*/*',
    'text/*',
    'text/event-stream',
    'text/event-stream;q=1',
    'application/graphql-response+json, text/event-stream, multipart/mixed',
    'application/json;q=0.5, TEXT/EVENT-STREAM; q=0.3',
  ])('streams events to a client that accepts %s', async (accept) => {
    const response = await open(accept);
    await response.body?.cancel();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('cache-control')).toContain('no-cache');
  });

  test.each(['application/json', 'text/html', 'text/event-stream;q=0', '*/*, text/event-stream;q=0'])(
    'returns 406 to a client that accepts %s',
    async (accept) => {
      const response = await open(accept);
      const { error } = (await response.json()) as { error: { code: string } };
      expect([response.status, error.code]).toEqual([406, 'not_acceptable']);
    },
  );

  test.each([
    ['without a query', {}, 400, 'invalid_request'],
    ['with a query that is no text', { query: 1 }, 400, 'invalid_request'],
    ['that is no object', [], 400, 'invalid_request'],
  ])('returns the error envelope to a request %s', async (_what, body, status, code) => {
    const response = await open('text/event-stream', body);
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      status,
      code,
    ]);
  });

  test.each([
    ['suggests no names', 'subscription { eventss { id } }', 'Did you mean'],
    ['names no library when introspection is off', 'subscription { __schema { types { name } } }', 'Apollo'],
  ])('%s', async (_what, query, secret) => {
    const text = await (await open('text/event-stream', { query })).text();
    expect(text).toContain('INVALID_REQUEST');
    expect(text).not.toContain(secret);
  });
});
