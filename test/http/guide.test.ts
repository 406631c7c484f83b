import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { guides } from '../docs/guide-pages.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const get = async (path: string) => {
  const response = await app.send('GET', path);
  return { response, html: await response.text() };
};

const pathOf = (file: string): string =>
  `/docs/guide/${file.slice('docs/'.length, -'.md'.length).replace(/README$/, '')}`.replace(/\/$/, '');

describe('GET /docs/guide', () => {
  test('renders the index with links to the other guides', async () => {
    const { response, html } = await get('/docs/guide');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('<a href="/docs/guide/conversations">');
    expect(html).toContain('<a href="/docs/guide/adr">');
  });

  test('forbids scripts and requests to other hosts', async () => {
    const { response, html } = await get('/docs/guide');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(response.headers.get('content-security-policy')).not.toContain('script-src');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(html).not.toMatch(/<script|src="http|<link/);
  });

  test.each(['/docs/guide', '/docs/guide/webhooks', '/docs/events'])('sends %s compressed, and once', async (path) => {
    const first = await app.send('GET', path, { headers: { 'accept-encoding': 'gzip' } });
    expect([first.status, first.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect(first.headers.get('vary')).toContain('Accept-Encoding');
    const etag = first.headers.get('etag') ?? '';
    const again = await app.send('GET', path, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  const served = [...guides.map(({ path }) => pathOf(path)), '/docs/guide/readme', '/docs/guide/changelog'];
  test.each(served)('serves %s, and every page, anchor and picture that it refers to', async (path) => {
    const { response, html } = await get(path);
    expect(response.status).toBe(200);
    const main = html.slice(html.indexOf('<main>'));
    for (const [, picture = ''] of main.matchAll(/<img [^>]*src="([^"]*)"/g)) {
      const { pathname } = new URL(picture, `${app.baseUrl}${path}`);
      expect({ picture, status: (await get(pathname)).response.status }).toEqual({ picture, status: 200 });
    }
    const targets = [...main.matchAll(/href="(\/docs[^"]*)"/g)].map(([, target = '']) => target);
    for (const target of new Set(targets)) {
      const [page = '', anchor] = target.split('#');
      const linked = await get(page);
      expect({ target, status: linked.response.status }).toEqual({ target, status: 200 });
      if (anchor !== undefined) expect(linked.html).toContain(`id="${anchor}"`);
    }
  });

  test('renders tables and code without generated markers', async () => {
    const { html } = await get('/docs/guide/api');
    expect(html).toContain('<code>invalid_request</code>');
    expect(html).toContain('<table>');
    expect(html).not.toContain('&lt;!--');
  });

  test.each(['/docs/guide/nothing', '/docs/guide/adr/nothing', '/docs/guide/..%2f..%2fpackage.json'])(
    'returns 404 for %s',
    async (path) => {
      const { response, html } = await get(path);
      expect(response.status).toBe(404);
      expect(JSON.parse(html)).toMatchObject({ error: { code: 'not_found' } });
    },
  );
});

describe('the search of the guides', () => {
  test('finds sections that contain every word, headings first', async () => {
    const { html } = await get('/docs/guide?q=same+message');
    expect(html).toMatch(/<ol><li><a href="\/docs\/guide\/conversations#the-same-message-again">/);
  });

  test('reports that nothing was found', async () => {
    expect((await get('/docs/guide?q=zzzzqqq')).html).toContain('No section contains');
  });

  test('escapes the query', async () => {
    const { html } = await get(`/docs/guide?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img');
  });

  test('bounds a long query', async () => {
    const { response } = await get(`/docs/guide?q=${'a+'.repeat(3_000)}`);
    expect(response.status).toBe(200);
  });
});
