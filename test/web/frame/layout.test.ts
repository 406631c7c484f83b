import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, shareConsole, type SignedInPage } from '../../support/browser.ts';
import { fitsWidth } from '../../support/layout.ts';
import { settled } from '../../support/settled.ts';

const desktop = { width: 1280, height: 800 };
const phoneOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let app: ConsoleApp;
let page: SignedInPage;
let phone: SignedInPage;
/** A conversation that starts with an Arabic message. */
let path: string;
let pathOnPhone: string;
beforeAll(async () => {
  app = await shareConsole();
  [page, phone] = await Promise.all([app.staySignedIn(), app.staySignedIn(phoneOptions)]);
  [path, pathOnPhone] = await Promise.all([start(page, greeting), start(phone, greeting)]);
});
afterEach(async () => {
  app.expectNoFaults();
  await page.setViewportSize(desktop);
});
afterAll(() => app.close());

const greeting = '## مرحبا\n\nهذا نص عربي.\n\n```ts\nconst a = 1;\n```';

/** Whether the middle of an element is inside the window and not covered or clipped. */
const isShown = (element: Element): boolean => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return element === found || element.contains(found);
};

/** Creates an agent and a conversation with it. Returns its path. */
async function start(as: SignedInPage, greeting_message: string): Promise<string> {
  const agent = { name: 'Ada', instructions: 'You are a tutor.', greeting_message };
  return `/chat/${(await app.createConversation(as.token, agent)).id}`;
}

/** Opens a screen in a window of a size. */
async function open(shown: Page, at: string, viewport?: typeof desktop): Promise<void> {
  if (viewport) await shown.setViewportSize(viewport);
  await go(shown, at);
  await settled(shown);
}

describe('from right to left', () => {
  test('the frame is mirrored, blocks are aligned by their script, and code stays left to right', async () => {
    await open(page, path);
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    const places = (await page.evaluate(`({
      sidebar: document.querySelector('aside').getBoundingClientRect().left,
      content: document.querySelector('main').getBoundingClientRect().left,
      overflow: document.documentElement.scrollWidth > innerWidth,
      heading: getComputedStyle(document.querySelector('article h2')).direction,
      code: getComputedStyle(document.querySelector('article pre')).direction,
    })`)) as Record<string, unknown>;
    await page.evaluate(`document.documentElement.dir = 'ltr'`);
    expect(places).toEqual({ sidebar: 1280 - 264, content: 0, overflow: false, heading: 'rtl', code: 'ltr' });
  });

  test('an Arabic paragraph is right-aligned in a page from left to right', async () => {
    await open(page, path);
    const gap = await page.evaluate(`(() => {
      const block = [...document.querySelectorAll('article p')].find(({ textContent }) => textContent.includes('عربي'));
      const range = document.createRange();
      range.selectNodeContents(block);
      return block.getBoundingClientRect().right - range.getBoundingClientRect().right;
    })()`);
    expect(gap).toBeLessThan(2);
  });
});

test('a table keeps the alignment of its columns, and a list the number it starts with', async () => {
  const text = '| Country | Cover |\n| --- | ---: |\n| Deutschland | 300 |\n\n3. Third';
  await open(page, await start(page, text));
  const alignment = await page.evaluate(`getComputedStyle(document.querySelector('td:last-child')).textAlign`);
  expect(alignment).toMatch(/right$/);
  expect(await page.locator('article ol').getAttribute('start')).toBe('3');
});

describe('a phone with its keyboard open', () => {
  test('shows the composer', async () => {
    // A page of its own, because it redefines the viewport.
    const own = await app.visitSignedIn('/robots.txt', phoneOptions);
    await open(own, await start(own, greeting));
    const composer = own.getByRole('textbox', { name: 'Message', exact: true });
    const bottom = async (): Promise<number> => {
      const box = await composer.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    await composer.focus();
    // As an iPhone reports it: the keyboard covers the page.
    await own.evaluate(`Object.defineProperty(visualViewport, 'height', { value: 500, configurable: true });
      visualViewport.dispatchEvent(new Event('resize'))`);
    await expect.poll(bottom).toBeLessThan(500);
    await composer.blur();
    await expect.poll(bottom).toBeGreaterThan(700);
    // Other browsers resize the page because it asks for it.
    expect(await own.locator('meta[name=viewport]').getAttribute('content')).toContain('resizes-content');
    await own.setViewportSize({ width: 390, height: 500 });
    await expect.poll(bottom).toBeLessThan(500);
  });
});

test('the top bar of a phone shows the title of the current screen', async () => {
  const bar = phone.locator('header').first();
  await go(phone, '/agents');
  await bar.getByText('Agents', { exact: true }).waitFor();
  await go(phone, '/settings/billing');
  await bar.getByText('Billing', { exact: true }).waitFor();
});

test('the menu of a phone closes with each navigation, also to the screen that is open, and stays closed', async () => {
  await open(phone, pathOnPhone);
  const menu = phone.getByRole('dialog', { name: 'Menu' });
  const choose = async (name: string): Promise<void> => {
    await phone.getByRole('button', { name: 'Menu', exact: true }).tap();
    await menu.getByRole('link', { name, exact: true }).tap();
    await menu.waitFor({ state: 'detached' });
  };
  await go(phone, '/chat');
  await choose('New chat');
  await choose('Agents');
  await phone.goBack();
  await phone.getByRole('button', { name: 'Agent: Ada' }).waitFor();
  await settled(phone);
  expect(await menu.count()).toBe(0);
});

describe('a window at 400 % zoom', () => {
  test('reaches the account menu and all of its entries', async () => {
    await open(page, path, { width: 320, height: 256 });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  test.each([200, 256])(
    'brings a message and the composer of a conversation into view at a height of %i',
    async (height) => {
      await open(page, path, { width: 320, height });
      await page.getByRole('button', { name: 'Dismiss' }).waitFor();
      const message = page.getByRole('log').getByText('هذا نص عربي');
      const composer = page.getByRole('textbox', { name: 'Message', exact: true });
      for (const target of [message, composer, message]) {
        await target.scrollIntoViewIfNeeded();
        expect(await target.evaluate(isShown)).toBe(true);
      }
    },
  );
});

test('lists leave their main column its width in windows of 720, 900 and 1024 px', async () => {
  const as = page.token;
  await app.call('POST', '/v1/agents', { as, body: { name: 'Librarian', instructions: 'You are a librarian.' } });
  const webhook = { url: 'https://example.com/orders', events: ['agent.created'], active: false };
  await app.call('POST', '/v1/webhooks', { as, body: webhook });
  const narrow: unknown[] = [];
  for (const list of ['/agents', '/webhooks', '/settings/security']) {
    await open(page, list);
    for (const width of [720, 900, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      const main = await page.locator('main :is(a[data-row], td:first-child)').first().boundingBox();
      if (!main || main.width < 150) narrow.push([list, width, main]);
    }
  }
  expect(narrow).toEqual([]);
});

test('long names without spaces leave a phone its width and its buttons', async () => {
  const as = phone.token;
  const name = 'n'.repeat(80);
  const description = 'd'.repeat(300);
  const agent = { name, description, instructions: 'You are a tutor.', greeting_message: 'Hello!', is_public: true };
  const { id, agent_id: agentId } = await app.createConversation(as, agent);
  await app.call('PATCH', `/v1/conversations/${id}`, { as, body: { title: name } });
  const url = `https://example.com/${'u'.repeat(300)}`;
  const { body: webhook } = await app.call('POST', '/v1/webhooks', { as, body: { url, events: ['agent.created'] } });
  const screens = {
    [`/chat/${id}`]: ['Menu', 'New chat', 'Conversation menu'],
    [`/chat?agent=${agentId}`]: ['Menu', 'The same with the API'],
    '/agents': ['New agent'],
    '/search?q=Hello': [],
    [`/marketplace/${agentId}`]: ['Start a chat'],
    [`/agents/${agentId}/edit`]: ['Menu', 'New chat', 'Save'],
    [`/webhooks/${webhook.id}`]: ['Webhook actions'],
  };
  const faults: unknown[] = [];
  for (const [screen, buttons] of Object.entries(screens)) {
    await open(phone, screen);
    if (!(await phone.evaluate(fitsWidth))) faults.push([screen, 'wider than the window']);
    for (const button of buttons) {
      const box = await phone
        .getByText(button, { exact: true })
        .or(phone.getByLabel(button, { exact: true }))
        .last()
        .boundingBox();
      if (!box || box.x < 0 || box.x + box.width > 390) faults.push([screen, button, box]);
    }
  }
  expect(faults).toEqual([]);
});

test('suggested first messages stay inside a phone', async () => {
  const description = 'Explains things to people who ask.';
  const body = { name: 'Ada', description, instructions: 'You are a librarian.', greeting_message: 'Hello!' };
  const { body: agent } = await app.call('POST', '/v1/agents', { as: phone.token, body });
  await go(phone, `/chat?agent=${agent.id}`);
  const suggested = phone.getByRole('button', { name: /people who ask/ });
  await suggested.first().waitFor();
  const edges = await Promise.all((await suggested.all()).map((one) => one.boundingBox()));
  expect(edges.filter((box) => !box || box.x < 12 || box.x + box.width > 378)).toEqual([]);
});
