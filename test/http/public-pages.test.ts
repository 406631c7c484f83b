import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findConsole, pageHeaders } from '../../src/http/console/console.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { picture, uploadImage } from '../support/images.ts';
import { withModerator } from '../support/moderators.ts';
import { type Named, socialOf, tokenOf } from '../support/social.ts';

const publicUrl = 'https://agents.example';

let app: TestApp;
let social: ReturnType<typeof socialOf>;
let maker: Named;
beforeAll(async () => {
  app = await startTestApp({ consoleFolder: findConsole(), env: { PUBLIC_URL: publicUrl } });
  social = socialOf(app);
  maker = await social.person('maker');
  await app.db.query(`update users set plan = 'creator' where id = $1`, [maker.id]);
});
afterAll(() => app.close());

interface Page {
  status: number;
  headers: Headers;
  html: string;
}

const html = { accept: 'text/html,application/xhtml+xml' };

async function open(path: string, headers: Record<string, string> = html): Promise<Page> {
  const response = await app.send('GET', path, { headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** Returns the value of a `meta` element, escaped as in the page. */
const metaOf = ({ html }: Page, name: string): string | undefined =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)" />`).exec(html)?.[1];
const titleOf = ({ html }: Page): string | undefined => /<title>([^<]*)<\/title>/.exec(html)?.[1];

async function publish(as: Named, fields: object = {}, listing?: object): Promise<{ id: string; slug: string }> {
  const { id } = await app.createAgent(as.token, { is_public: true, ...fields });
  if (listing) expectStatus(await app.call('PUT', `/v1/agents/${id}/listing`, { as: as.token, body: listing }), 200);
  const { slug } = (await app.call('GET', `/v1/agents/${id}/listing`, { as: as.token })).body;
  return { id, slug };
}

async function shareConversation(as: Named, fields: object = {}): Promise<string> {
  const { id } = await app.createConversation(as.token, { name: 'Ada', greeting_message: 'Hello.' });
  return tokenOf(await social.share(as, { type: 'conversation', conversation_id: id, ...fields }));
}

describe('the page of a listing', () => {
  test('describes itself without scripts, for browsers and messengers, and loads the console', async () => {
    const { id, slug } = await publish(maker, { name: 'Chess Coach', description: 'Openings and\nendgames.' });
    for (const headers of [html, { accept: '*/*' }, {}]) {
      const page = await open(`/marketplace/${slug}`, headers);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(titleOf(page)).toBe('Chess Coach · Agent Chat');
      for (const name of ['description', 'og:description']) expect(metaOf(page, name)).toBe('Openings and endgames.');
      expect(metaOf(page, 'og:title')).toBe('Chess Coach');
      expect(metaOf(page, 'og:url')).toBe(`${publicUrl}/marketplace/${slug}`);
      expect(metaOf(page, 'twitter:card')).toBe('summary');
      expect(page.html).toContain(`<link rel="canonical" href="${publicUrl}/marketplace/${slug}" />`);
      expect(page.html).toContain('<noscript><main><h1>Chess Coach</h1>');
      expect(page.html).toMatch(/<script type="module"[^>]* src="\/assets\//);
      expect(metaOf(page, 'robots')).toBeUndefined();
      expect(page.headers.get('cache-control')).toBe('public, max-age=30');
      expect(page.headers.get('access-control-allow-origin')).toBeNull();
      for (const [name, value] of Object.entries(pageHeaders)) expect(page.headers.get(name)).toBe(value);
    }
    const byId = await open(`/marketplace/${id}`);
    expect(metaOf(byId, 'og:url')).toBe(`${publicUrl}/marketplace/${slug}`);
    const head = await app.send('HEAD', `/marketplace/${slug}`, { headers: html });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const own = (await app.call('GET', `/v1/agents/${id}/listing`, { as: maker.token })).body;
    expect(own.views).toBe(0);
  });

  test('has the banner as its picture, else the avatar', async () => {
    const { id, slug } = await publish(maker, { name: 'Pictured' });
    const form = (kind: string) => ({ kind, agent_id: id, apply: true });
    const avatar = (await uploadImage(app, maker.token, await picture(300, 300), form('avatar'))).body;
    const withAvatar = await open(`/marketplace/${slug}`);
    expect([metaOf(withAvatar, 'og:image'), metaOf(withAvatar, 'twitter:card')]).toEqual([
      avatar.urls.large,
      'summary',
    ]);
    const banner = (await uploadImage(app, maker.token, await picture(900, 300), form('banner'))).body;
    const withBanner = await open(`/marketplace/${slug}`);
    expect([metaOf(withBanner, 'og:image'), metaOf(withBanner, 'twitter:card')]).toEqual([
      banner.urls.large,
      'summary_large_image',
    ]);
  });

  test('for adults, or held, is not indexed by search engines', async () => {
    const mature = await publish(maker, { name: 'Mature' }, { content_rating: 'mature' });
    const page = await open(`/marketplace/${mature.slug}`);
    expect([metaOf(page, 'robots'), metaOf(page, 'rating'), page.headers.get('x-robots-tag')]).toEqual([
      'noindex',
      'adult',
      'noindex',
    ]);
    const held = await publish(maker, { name: 'Held' });
    const desk = await withModerator(app, maker);
    const decide = (action: string) =>
      desk.call('POST', '/v1/moderation/decisions', {
        as: maker.token,
        body: { subject_type: 'agent', subject_id: held.id, action, reason: 'spam', statement: 'Looked at.' },
      });
    expectStatus(await decide('hold'), 201);
    const direct = await open(`/marketplace/${held.slug}`);
    expect([direct.status, metaOf(direct, 'robots')]).toEqual([200, 'noindex']);
    expectStatus(await decide('remove'), 201);
    await desk.close();
    expect((await open(`/marketplace/${held.slug}`)).status).toBe(404);
  });
});

describe('the page of a profile', () => {
  test('shows the name and what the person says, and is gone while it is hidden', async () => {
    const grace = await social.person('grace');
    const me = { display_name: 'Grace Hopper', bio: 'Compilers.' };
    expectStatus(await app.call('PUT', '/v1/auth/me', { as: grace.token, body: me }), 200);
    const page = await open(`/users/${grace.name.toUpperCase()}`);
    expect([page.status, titleOf(page), metaOf(page, 'description'), metaOf(page, 'og:type')]).toEqual([
      200,
      'Grace Hopper · Agent Chat',
      'Compilers.',
      'profile',
    ]);
    expect(metaOf(page, 'og:url')).toBe(`${publicUrl}/users/${grace.name}`);
    expect(page.html).not.toContain(grace.email);
    await social.put('/social/profile', grace, { visibility: 'hidden' });
    const [hidden, unknown] = [await open(`/users/${grace.name}`), await open('/users/nobody-at-all')];
    expect([hidden.status, hidden.html]).toEqual([404, unknown.html]);
  });
});

describe('the page of a shared link', () => {
  test('is never cached, indexed only if its owner wants that, and gone when it is revoked', async () => {
    const share = { title: 'Primes', note: 'Well put.' };
    const token = await shareConversation(maker, share);
    const page = await open(`/share/${token}`);
    expect([page.status, titleOf(page), metaOf(page, 'description')]).toEqual([
      200,
      'Primes · Agent Chat',
      'Well put.',
    ]);
    expect([page.headers.get('cache-control'), page.headers.get('x-robots-tag'), metaOf(page, 'robots')]).toEqual([
      'no-store',
      'noindex',
      'noindex',
    ]);
    for (const secret of [maker.id, maker.name, maker.email]) expect(page.html).not.toContain(secret);
    const listedPage = await open(`/share/${await shareConversation(maker, { ...share, indexable: true })}`);
    expect([listedPage.headers.get('x-robots-tag'), metaOf(listedPage, 'robots')]).toEqual([null, undefined]);
    const [listed] = (await social.get('/social/shares', maker)).data.filter(
      ({ indexable }: { indexable: boolean }) => !indexable,
    );
    expect(listed.view_count).toBe(0);
    await social.remove(`/social/shares/${listed.id}`, maker);
    expect((await open(`/share/${token}`)).status).toBe(404);
  });
});

test('an unknown address gets the console’s page with status 404, which is not cached', async () => {
  const agent = await app.createAgent(maker.token, { name: 'Private one' });
  for (const path of [
    `/marketplace/${agent.id}`,
    '/marketplace/no-such-agent',
    '/marketplace/a/b',
    '/users/no-such-person',
    '/users/%00',
    `/share/${'x'.repeat(43)}`,
    `/share/${'x'.repeat(150)}`,
  ]) {
    const page = await open(path);
    expect([path, page.status, titleOf(page)]).toEqual([path, 404, 'Agent Chat']);
    expect(page.headers.get('cache-control')).toMatch(/^no-(store|cache)$/);
    expect(page.html).not.toContain('Private one');
    for (const [name, value] of Object.entries(pageHeaders)) expect(page.headers.get(name)).toBe(value);
  }
});

test('an account that is being deleted has no pages; a restore brings them back', async () => {
  const leaver = await social.person('leaver');
  const { slug } = await publish(leaver, { name: 'Leaving' });
  const paths = [`/marketplace/${slug}`, `/users/${leaver.name}`, `/share/${await shareConversation(leaver)}`];
  const statuses = () => Promise.all(paths.map(async (path) => (await open(path)).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  expectStatus(await app.call('DELETE', '/v1/auth/me', { as: leaver.token }), 200);
  expect(await statuses()).toEqual([404, 404, 404]);
  const { email, password } = leaver;
  expectStatus(await app.call('POST', '/v1/auth/restore', { body: { email, password } }), 200);
  expect(await statuses()).toEqual([200, 200, 200]);
});

const hostile = [
  `"><script>alert(1)</script>`,
  `</title><script>alert(1)</script>`,
  `</noscript><b onclick=alert(1)>`,
  `' onload='alert(1)`,
  `<!-- `,
  '$& $` $1 $$ {{alert(1)}}',
  `a\u2028b\u202Ec "`,
];

test('shows what people wrote as text, wherever it appears', async () => {
  /** Counts each character of a page that can start or end markup. */
  const signsOf = ({ html }: Page) => ['<', '>', '"', "'"].map((sign) => html.split(sign).length - 1);
  const pagesWith = async (text: string): Promise<Page[]> => {
    const person = await social.person('writer');
    // Names are refused with such characters.
    const name = `N ${text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')}`;
    const me = { display_name: name, bio: `B ${text}` };
    expectStatus(await app.call('PUT', '/v1/auth/me', { as: person.token, body: me }), 200);
    const { slug } = await publish(person, { name, description: null }, { about: `A ${text}` });
    const token = await shareConversation(person, { title: name, note: `O ${text}` });
    return Promise.all([`/marketplace/${slug}`, `/users/${person.name}`, `/share/${token}`].map((path) => open(path)));
  };
  const expected = (await pagesWith('harmless')).map(signsOf);
  for (const text of hostile) {
    const pages = await pagesWith(text);
    expect([text, pages.map(({ status }) => status)]).toEqual([text, [200, 200, 200]]);
    expect([text, pages.map(signsOf)]).toEqual([text, expected]);
    for (const page of pages) expect(page.html).not.toContain('\u202E');
  }
});

test('an address may request 300 pages a minute; above that it gets the console’s page with status 429', async () => {
  const limited = await startTestApp({ consoleFolder: findConsole() });
  try {
    const ask = async () => (await limited.send('GET', '/users/no-one', { headers: html })).status;
    for (let asked = 0; asked < 300; asked++) await ask();
    expect(await ask()).toBe(429);
    const refused = await limited.send('GET', '/share/x', { headers: html });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('<div id="root">');
    expect((await limited.send('GET', '/marketplace', { headers: html })).status).toBe(200);
  } finally {
    await limited.close();
  }
});
