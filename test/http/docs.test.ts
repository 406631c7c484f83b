import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compressDocument, sendCompressed } from '../../src/http/compressed.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const get = async (url: string, headers: Record<string, string> = {}) => {
  const response = await app.app.server.inject({ url, headers });
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload };
};

describe.each(['/docs', '/docs/js/scalar.js', '/v1/openapi.json'])('%s', (path) => {
  test('has the same content in every encoding', async () => {
    const plain = await get(path);
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    const zipped = await get(path, { 'accept-encoding': 'gzip' });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    const refused = await get(path, { 'accept-encoding': 'gzip;q=0, br;q=0' });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  test('is sent once: a client that has it gets 304', async () => {
    const { etag } = (await get(path)).headers;
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await get(path, { 'if-none-match': `"other", W/${String(etag)}` });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });
});

test('a document is compressed from the first request, also for a client that accepts only Brotli or any encoding', async () => {
  const content = 'All work and no play makes a document compressible. '.repeat(20_000);
  const server = Fastify();
  server.get('/', async (request, reply) =>
    sendCompressed(request, reply, await compressDocument('text/plain', content)),
  );
  for (const [accepted, sent] of [
    ['br', 'br'],
    ['gzip, deflate, br', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0, *', 'br'],
  ]) {
    const response = await server.inject({ url: '/', headers: { 'accept-encoding': accepted } });
    expect([accepted, response.headers['content-encoding']]).toEqual([accepted, sent]);
    const bytes = sent === 'br' ? brotliDecompressSync(response.rawPayload) : gunzipSync(response.rawPayload);
    expect(bytes.toString() === content).toBe(true);
  }
  await server.close();
});

test('the page of /docs loads its script with and without a slash at the end', async () => {
  for (const path of ['/docs', '/docs/']) expect(String((await get(path)).bytes)).toContain('"/docs/js/scalar.js"');
});

test('the script of /docs has less than 1 MB and is cached for a day', async () => {
  const script = await eventually(
    async () => {
      const answer = await get('/docs/js/scalar.js', { 'accept-encoding': 'gzip, br' });
      return answer.headers['content-encoding'] === 'br' ? answer : null;
    },
    { timeoutMs: 150_000 },
  );
  expect(script.bytes.length).toBeLessThan(1_048_576);
  expect(brotliDecompressSync(script.bytes).length).toBeGreaterThan(4_000_000);
  expect(script.headers['cache-control']).toBe('public, max-age=86400');
}, 180_000);

describe('/docs/events', () => {
  test('is a page with an anchor for each event', async () => {
    const { status, headers, bytes } = await get('/docs/events', { accept: 'text/html,*/*;q=0.8' });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const html = bytes.toString();
    expect(html).toContain('<table>');
    for (const [, anchor] of html.matchAll(/href="#([^"]+)"/g)) expect(html).toContain(`id="${anchor}"`);
  });

  test('is Markdown for a client that does not accept HTML', async () => {
    const { headers, bytes } = await get('/docs/events', { accept: 'text/markdown' });
    expect([headers['content-type'], headers['vary']]).toEqual([
      'text/markdown; charset=utf-8',
      'Accept, Accept-Encoding',
    ]);
    expect(bytes.toString()).toMatch(/^# Events/);
  });
});

test('/robots.txt allows only the documentation and what people published', async () => {
  const { headers, bytes } = await get('/robots.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(
    bytes
      .toString()
      .split('\n')
      .filter((line) => /^(Allow|Disallow)/.test(line)),
  ).toEqual([
    ...['/docs', '/marketplace', '/users/', '/share/', '/images/', '/assets/'].map((path) => `Allow: ${path}`),
    'Disallow: /',
  ]);
  expect(headers['cache-control']).toContain('no-cache');
  expect((await get('/robots.txt', { 'if-none-match': String(headers['etag']) })).status).toBe(304);
});
