import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fixtureApp, type FixtureApp } from './fixture-app.ts';

let fixture: FixtureApp;
let logged = '';

const logs = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logged += chunk.toString();
    done();
  },
});

beforeAll(async () => {
  fixture = await fixtureApp({}, logs);
});
beforeEach(() => {
  fixture.calls.length = 0;
  logged = '';
});
afterAll(() => fixture.app.close());

interface Call {
  payload?: unknown;
  headers?: Record<string, string>;
}

const call = async (method: string, url: string, { payload, headers = {} }: Call = {}) => {
  const answer = await fixture.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: 'Bearer token', ...headers },
    ...(payload === undefined ? {} : { payload: payload as object }),
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    body: answer.body ? answer.json() : null,
  };
};

const thing = {
  id: '1',
  display_name: 'A thing',
  body_text: null,
  events: ['thing.created'],
  message_count: 3,
  created_at: '2026-11-21T09:30:00.000Z',
  parts: [{ serial_number: 'a' }, { serial_number: 'b', guild_id: 'g' }],
};

describe('a routed operation', () => {
  it('responds with wire names, with null fields and without absent ones', async () => {
    const { status, headers, body } = await call('GET', '/v1/things/1');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).toEqual(thing);
  });

  it('returns the shape of its row', async () => {
    const { body } = await call('GET', '/v1/things');
    const { body_text: _text, parts: _parts, ...item } = thing;
    expect(body).toEqual({ data: [item], total: 1, limit: 20, offset: 0, has_more: false });
    const { body: explored } = await call('GET', '/v1/things/explore?q=z');
    expect(explored).toEqual({ data: [{ ...thing, id: 'z' }], total: 1, has_more: false });
  });

  it('passes resolver names, nested ones too, and keeps an explicit null', async () => {
    const payload = {
      display_name: 'x',
      body_text: null,
      spare_parts: [{ serial_number: 's', unit_count: 2 }],
      events: ['things:read'],
    };
    const { status, body } = await call('POST', '/v1/things', { payload });
    expect(status).toBe(201);
    expect(body).toMatchObject({ display_name: 'x', body_text: null });
    expect(fixture.calls).toEqual([
      { displayName: 'x', bodyText: null, spareParts: [{ serialNumber: 's', unitCount: 2 }], events: ['things:read'] },
    ]);
  });

  it('parses numbers, booleans, enums and times from the query string', async () => {
    await call('GET', '/v1/things?limit=5&offset=2&sort=name&is_public=true&since=2026-11-21T00:00:00Z&x=y');
    expect(fixture.calls).toEqual([
      { limit: 5, offset: 2, sort: 'name', isPublic: true, since: new Date('2026-11-21T00:00:00Z') },
    ]);
  });

  it('accepts no body for an optional input, and an object otherwise', async () => {
    expect((await call('POST', '/v1/enter')).body).toEqual({ json: 'null' });
    expect((await call('POST', '/v1/enter', { payload: {} })).body).toEqual({ json: '{}' });
  });

  it('reads the input from the body alone, not from the query string (A41)', async () => {
    await call('POST', '/v1/things?display_name=query&input[display_name]=query&id=9', {
      payload: { display_name: 'body' },
    });
    await call('PUT', '/v1/things/1?id=9&display_name=query', { payload: { id: '7', bodyText: 'camel' } });
    expect(fixture.calls).toEqual([{ displayName: 'body' }, { id: '1' }]);
  });

  it('responds to HEAD like to GET without the body', async () => {
    const { status, text, headers } = await call('HEAD', '/v1/things/1');
    expect([status, text]).toEqual([200, '']);
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });
});

describe('the order of checks', () => {
  it('404 for an unknown route precedes the credential', async () => {
    const { status, body } = await call('GET', '/v1/nothing', { headers: { authorization: 'x', 'x-limit': 'over' } });
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  });

  it('405 with Allow for a known path precedes the credential', async () => {
    const { status, headers, body } = await call('PATCH', '/v1/things/1', { headers: { authorization: 'x' } });
    expect([status, body.error.code, headers.allow]).toEqual([405, 'method_not_allowed', 'GET, PUT, HEAD, OPTIONS']);
    expect((await call('PUT', '/v1/things/explore', { payload: {} })).status).toBe(405);
    expect((await call('HEAD', '/v1/leave')).status).toBe(405);
  });

  it('401 precedes 429 and is counted', async () => {
    const headers = { authorization: 'Bearer wrong', 'x-limit': 'over' };
    const answer = await call('GET', '/v1/things/1', { headers });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(answer.headers['x-ratelimit-limit']).toBe('600');
    expect(answer.body).toEqual({ error: { code: 'unauthenticated', message: 'A valid credential is required.' } });
  });

  it('429 precedes 403', async () => {
    const headers = { authorization: 'Bearer key:voice:use', 'x-limit': 'over' };
    const answer = await call('GET', '/v1/things/1', { headers });
    expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([429, 'rate_limited', '30']);
  });

  it('403 precedes the body and names the scope', async () => {
    const headers = { authorization: 'Bearer key:agents:read', 'content-type': 'text/plain' };
    const answer = await call('POST', '/v1/things', { headers, payload: 'x' });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'insufficient_scope']);
    expect(answer.body.error.message).toContain('agents:write');
  });

  it('a public operation ignores an invalid credential', async () => {
    expect((await call('GET', '/v1/about', { headers: { authorization: 'Bearer wrong' } })).status).toBe(200);
  });

  it('requires a session where a key is not sufficient', async () => {
    expect((await call('POST', '/v1/leave', { headers: { authorization: 'Bearer key:account:write' } })).status).toBe(
      403,
    );
    expect((await call('POST', '/v1/leave')).status).toBe(200);
  });
});

describe('the body', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx'])(
    '%s is 415 (A42)',
    async (type) => {
      const answer = await call('POST', '/v1/things', {
        headers: { 'content-type': type },
        payload: '{"display_name":"x"}',
      });
      expect([answer.status, answer.body.error.code]).toEqual([415, 'unsupported_media_type']);
    },
  );

  it('without a content type is 415 (A42)', async () => {
    const answer = await fixture.app.inject({
      method: 'POST',
      url: '/v1/things',
      headers: { authorization: 'Bearer token', 'content-length': '2' },
      payload: Buffer.from('{}'),
    });
    expect(answer.statusCode).toBe(415);
  });

  it.each<[Record<string, string>, string]>([
    [{ 'content-encoding': 'gzip' }, 'gzip'],
    [{ 'content-encoding': 'br' }, 'br'],
    [{ 'content-type': 'application/json; charset=utf-16' }, 'utf-16'],
    [{ 'content-type': 'application/json; charset="ISO-8859-1"' }, 'ISO-8859-1'],
  ])('in another encoding is 415 and names it: %j', async (headers, encoding) => {
    const answer = await call('POST', '/v1/things', {
      headers: { 'content-type': 'application/json', ...headers },
      payload: gzipSync('{"display_name":"x"}'),
    });
    expect([answer.status, answer.body.error.code]).toEqual([415, 'unsupported_media_type']);
    expect(answer.body.error.message).toContain(` ${encoding} `);
  });

  it.each<Record<string, string>>([
    { 'content-encoding': 'identity' },
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/json;charset="UTF-8"' },
  ])('in UTF-8 without compression is accepted: %j', async (headers) => {
    const payload = '{"display_name":"x"}';
    const answer = await call('POST', '/v1/things', {
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    });
    expect(answer.status).toBe(201);
  });

  it('over 1 MB is 413', async () => {
    const answer = await call('POST', '/v1/things', { payload: { display_name: 'x'.repeat(1_048_577) } });
    expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large']);
  });

  it.each(['{', '{"a":}', 'nul', '{"display_name":"x"}}'])('that is not JSON is 400: %s', async (payload) => {
    const answer = await call('POST', '/v1/things', { headers: { 'content-type': 'application/json' }, payload });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
  });

  it.each(['null', '[]', '"x"', '7', ''])('that is not an object is 400: %j', async (payload) => {
    const answer = await call('POST', '/v1/things', { headers: { 'content-type': 'application/json' }, payload });
    expect(answer.body).toEqual({ error: { code: 'invalid_request', message: 'The body must be a JSON object.' } });
  });

  it('has no effect through `__proto__` or `constructor` (A28)', async () => {
    const payload =
      '{"display_name":"x","__proto__":{"polluted":1,"body_text":"p"},"constructor":{"prototype":{"polluted":1}}}';
    const answer = await call('POST', '/v1/things', { headers: { 'content-type': 'application/json' }, payload });
    expect(answer.status).toBe(201);
    expect(fixture.calls).toEqual([{ displayName: 'x' }]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('errors', () => {
  it('of the operation have wire names of fields', async () => {
    const { status, body } = await call('POST', '/v1/things', { payload: { display_name: 'x'.repeat(11) } });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { field: 'display_name', code: 'too_big', message: 'must have at most 10 characters' },
    ]);
    expect(body.error.message).toBe('display_name: must have at most 10 characters');
  });

  it('404 always has the same body', async () => {
    expect((await call('GET', '/v1/things/none')).body.error.code).toBe('not_found');
  });

  it('a temporary refusal has Retry-After in whole seconds', async () => {
    const { status, headers } = await call('GET', '/v1/things/busy');
    expect([status, headers['retry-after']]).toEqual([429, '7']);
  });

  it('internal errors are logged with the request id and returned without detail', async () => {
    const { status, text } = await call('GET', '/v1/things/broken');
    expect(status).toBe(500);
    expect(JSON.parse(text)).toEqual({
      error: { code: 'internal_error', message: 'Something went wrong on our side.' },
    });
    expect(logged).toContain('"requestId":"');
    expect(logged).toContain('hunter2');
  });

  it('4xx are not logged', async () => {
    await call('GET', '/v1/things?limit=0');
    expect(logged).toBe('');
  });
});

describe('the routes of SOFA', () => {
  it.each([
    ['POST', '/v1/webhook'],
    ['POST', '/v1/webhook/1'],
    ['DELETE', '/v1/webhook/1'],
    ['GET', '/v1/docs'],
    ['GET', '/v1/openapi.json'],
    ['GET', '/v1/swagger'],
    ['GET', '/v1/hidden'],
    ['GET', '/v1/things/1/parts'],
    ['POST', '/webhook'],
  ])('%s %s returns 404 (A40)', async (method, url) => {
    const payload = { subscription: 'thingCreated', variables: {}, url: 'http://127.0.0.1:1/' };
    const { status } = await call(method, url, method === 'GET' ? {} : { payload });
    expect(status).toBe(404);
  });
});

describe('OPTIONS', () => {
  it('lists the methods of a path', async () => {
    const { status, headers } = await call('OPTIONS', '/v1/things');
    expect([status, headers.allow]).toEqual([204, 'POST, GET, HEAD, OPTIONS']);
  });
});
