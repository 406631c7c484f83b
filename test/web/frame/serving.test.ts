import { request } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageHeaders, reservedSegments, screenSegments } from '../../../src/http/console/console.ts';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterAll(() => app.close());

const html = { accept: 'text/html,application/xhtml+xml' };
/** Sends a path as it is; fetch would resolve its dots. */
const statusOf = (method: string, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.baseUrl);
    const sent = request({ hostname, port, method, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
const assets = () => readdirSync('dist/web/assets').filter((name) => /\.(js|css)$/.test(name));

describe('the console’s files', () => {
  test.each(screenSegments)('/%s is a page with the security headers', async (segment) => {
    const response = await app.send('GET', `/${segment}`, { headers: html });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    for (const [name, value] of Object.entries(pageHeaders)) expect(response.headers.get(name)).toBe(value);
  });

  test('every screen has its path segment, so that a direct request gets status 200', () => {
    const routes = ['router', 'social-routes', 'visitor-routes']
      .map((name) => readFileSync(`web/src/${name}.tsx`, 'utf8'))
      .join('');
    const segments = Array.from(routes.matchAll(/path: '\/([^/']*)/g), ([, segment]) => segment);
    expect([...new Set(segments)].toSorted()).toEqual([...screenSegments].toSorted());
  });

  test('a page names the scripts and styles of its screen at once, and one for visitors nothing more than it needs', async () => {
    const named = async (path: string) => {
      const page = await (await app.send('GET', path, { headers: html })).text();
      return [/modulepreload/g, /rel="stylesheet"/g].map((kind) => Array.from(page.matchAll(kind)).length);
    };
    expect(await named('/sign-in')).toEqual([0, 1]);
    expect(await named('/agents')).toEqual([1, 2]);
    const [scripts, styles] = await named('/chat/conv_any');
    expect(scripts).toBeGreaterThan(1);
    expect(styles).toBeGreaterThan(1);
  });

  test('the policy allows nothing but our own files and DOMPurify’s policy', () => {
    expect(pageHeaders['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
        "connect-src 'self'; media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'self'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify",
    );
  });

  test('an unknown path is the page with status 404 for a browser and JSON for everyone else', async () => {
    const page = await app.send('GET', '/nope', { headers: html });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    for (const [method, path, headers] of [
      ['GET', '/', { accept: 'application/json' }],
      ['GET', '/agents', {}],
      ['GET', '/nope', { accept: '*/*' }],
      ['POST', '/nope', html],
      ['GET', '/assets/gone.js', html],
    ] as const) {
      const response = await app.send(method, path, { headers });
      expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
        404,
        'not_found',
      ]);
    }
  });

  test.each(['/', '/?q=1', '/marketplace', '/users/unknown', '/share/unknown', '/marketplace/unknown'])(
    '%s is a page for every client that does not exclude HTML, with GET and HEAD',
    async (path) => {
      const expected = await app.send('GET', path, { headers: html });
      for (const accept of [null, '*/*', 'image/*, */*;q=0.1'])
        for (const method of ['GET', 'HEAD']) {
          const response = await app.send(method, path, accept === null ? {} : { headers: { accept } });
          expect([response.status, response.headers.get('content-type')]).toEqual([
            expected.status,
            'text/html; charset=utf-8',
          ]);
        }
    },
  );

  test.each([
    '/assets',
    '/assets/',
    '/assets//',
    '/assets/.',
    '/assets/%2e%2e/',
    '/assets/%2F',
    '/widget/',
    '/assets/?q=1',
  ])('%s is a folder and so not found', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const status = await statusOf(method, path);
      expect([method, status]).toEqual([method, 404]);
    }
  });

  test.each(reservedSegments)('/%s/nope is never the console’s', async (segment) => {
    const response = await app.send('GET', `/${segment}/nope`, { headers: html });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('assets are immutable and come as Brotli, gzip or plain', async () => {
    const name = assets().find((asset) => asset.startsWith('start-') && asset.endsWith('.js')) ?? '';
    const sizes = await Promise.all(
      ['gzip, deflate, br', 'gzip', 'identity'].map(async (encoding) => {
        const response = await app.send('HEAD', `/assets/${name}`, { headers: { 'accept-encoding': encoding } });
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(response.headers.get('vary')).toContain('accept-encoding');
        return Number(response.headers.get('content-length'));
      }),
    );
    expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes);
    expect(new Set(sizes).size).toBe(3);
  });

  test('the icon and the manifest are served to everyone', async () => {
    for (const path of ['/favicon.ico', '/favicon.svg', '/manifest.webmanifest', '/theme.js']) {
      const response = await app.send('GET', path);
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
    }
  });
});
