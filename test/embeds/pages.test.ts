import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findConsole, widgetFolder } from '../../src/http/console/console.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createEmbed } from '../support/embeds.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ consoleFolder: findConsole() });
});
afterAll(() => app.close());

const folder = widgetFolder(findConsole());
const fileOf = (name: string) => readFileSync(`${folder}${name}`);

describe('the page of an embed', () => {
  test('can be framed by its websites and no other, and is never cached for another embed', async () => {
    const one = await createEmbed(app, { allowed_origins: ['https://a.example', 'https://*.b.example:8443'] });
    const other = await createEmbed(app, { allowed_origins: ['https://c.example'] });
    const headersOf = async (id: string) => (await app.send('GET', `/embed/${id}`)).headers;
    const headers = await headersOf(one.id);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "require-trusted-types-for 'script'; trusted-types dompurify; " +
        "frame-ancestors https://a.example https://*.b.example:8443; base-uri 'none'; form-action 'none'",
    );
    expect((await headersOf(other.id)).get('content-security-policy')).toContain('frame-ancestors https://c.example;');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toBeNull();
    expect([headers.get('x-frame-options'), headers.get('access-control-allow-origin')]).toEqual([null, null]);
    for (const path of ['/', '/docs/guide', '/v1/models', '/embed/v1/widget.js'])
      expect([path, (await app.send('GET', path)).headers.get('x-frame-options')]).not.toContain(null);
  });

  test('has the hashes of its script and style, which are immutable', async () => {
    const { id } = await createEmbed(app);
    const html = await (await app.send('GET', `/embed/${id}`)).text();
    for (const name of ['frame.js', 'frame.css']) {
      const integrity = `sha384-${createHash('sha384').update(fileOf(name)).digest('base64')}`;
      expect(html).toContain(`integrity="${integrity}"`);
      const [, path = ''] = new RegExp(`"(/embed/v1/${name}\\?v=[^"]+)"`).exec(html) ?? [];
      const { headers } = await app.send('GET', path);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    const loader = await app.send('GET', '/embed/v1/widget.js');
    expect(loader.headers.get('cache-control')).toBe('public, max-age=300');
    expect(loader.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await app.send('GET', '/embed/v1/other.js')).status).toBe(404);
  });

  test('is 404 for an embed that is paused, deleted or unknown', async () => {
    const { id, owner } = await createEmbed(app);
    const statusOf = async (path = id) => (await app.send('GET', `/embed/${path}`)).status;
    expect(await statusOf()).toBe(200);
    await app.call('PUT', `/v1/embeds/${id}`, { as: owner.token, body: { active: false } });
    expect([await statusOf(), await statusOf('emb_x'), await statusOf('a%00b')]).toEqual([404, 404, 404]);
  });

  test('escapes the title', async () => {
    const { id } = await createEmbed(app, { appearance: { title: '"><script>alert(1)</script>' } });
    const html = await (await app.send('GET', `/embed/${id}`)).text();
    expect(html).not.toContain('<script>alert');
  });
});

test('the loader has at most 3 kB and the frame at most 45 kB, compressed, and the loader imports nothing', () => {
  const sizeOf = (...names: string[]) =>
    names.reduce((sum, name) => sum + gzipSync(fileOf(name), { level: 9 }).length, 0);
  expect(sizeOf('widget.js')).toBeLessThanOrEqual(3_000);
  expect(sizeOf('frame.js', 'frame.css')).toBeLessThanOrEqual(45_000);
  expect(fileOf('widget.js').toString()).not.toMatch(/\bimport\b|\bexport\b/);
});

test('the development page sends to a website on another port, which allows only the service', async () => {
  const { id } = await createEmbed(app, { test: true, allowed_origins: ['http://localhost:*'] });
  expect(await (await app.send('GET', '/dev/embed')).text()).toContain(`/dev/embed?embed=${id}`);
  const response = await fetch(`${app.baseUrl}/dev/embed?embed=${id}`, { redirect: 'manual' });
  const address = new URL(response.headers.get('location') ?? '');
  expect(address.port).not.toBe(new URL(app.baseUrl).port);
  const website = await fetch(address.href.replace('localhost', '127.0.0.1'));
  expect(website.headers.get('content-security-policy')).toBe(
    `default-src 'none'; script-src ${app.baseUrl}; frame-src ${app.baseUrl}`,
  );
  expect(await website.text()).toContain(`data-embed="${id}"`);
});
