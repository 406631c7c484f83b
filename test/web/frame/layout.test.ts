import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import { fitsWidth } from '../../support/layout.ts';
import { settled } from '../../support/settled.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const greeting = '## مرحبا\n\nهذا نص عربي.\n\n```ts\nconst a = 1;\n```';

/** Whether the middle of an element is inside the window and not covered or clipped. */
const isShown = (element: Element): boolean => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return element === found || element.contains(found);
};

/** Creates a conversation that starts with an Arabic message. */
async function open(options: Parameters<ConsoleApp['visit']>[1] = {}) {
  const page = await app.visitSignedIn('/robots.txt', options);
  const agent = { name: 'Ada', instructions: 'You are a tutor.', greeting_message: greeting };
  const { id } = await app.createConversation(page.token, agent);
  await go(page, `/chat/${id}`);
  await settled(page);
  return page;
}

describe('from right to left', () => {
  test('the frame is mirrored, blocks are aligned by their script, and code stays left to right', async () => {
    const page = await open();
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    const places = (await page.evaluate(`({
      sidebar: document.querySelector('aside').getBoundingClientRect().left,
      content: document.querySelector('main').getBoundingClientRect().left,
      overflow: document.documentElement.scrollWidth > innerWidth,
      heading: getComputedStyle(document.querySelector('article h2')).direction,
      code: getComputedStyle(document.querySelector('article pre')).direction,
    })`)) as Record<string, unknown>;
    expect(places).toEqual({ sidebar: 1280 - 264, content: 0, overflow: false, heading: 'rtl', code: 'ltr' });
  });

  test('an Arabic paragraph is right-aligned in a page from left to right', async () => {
    const page = await open();
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
  const page = await app.visitSignedIn('/robots.txt');
  const text = '| Country | Cover |\n| --- | ---: |\n| Deutschland | 300 |\n\n3. Third';
  const agent = { name: 'Ada', instructions: 'You are a tutor.', greeting_message: text };
  const { id } = await app.createConversation(page.token, agent);
  await go(page, `/chat/${id}`);
  await settled(page);
  const alignment = await page.evaluate(`getComputedStyle(document.querySelector('td:last-child')).textAlign`);
  expect(alignment).toMatch(/right$/);
  expect(await page.locator('article ol').getAttribute('start')).toBe('3');
});

describe('a phone with its keyboard open', () => {
  test('shows the composer', async () => {
    const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const composer = page.getByRole('textbox', { name: 'Message', exact: true });
    const bottom = async (): Promise<number> => {
      const box = await composer.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    await composer.focus();
    // As an iPhone reports it: the keyboard covers the page.
    await page.evaluate(`Object.defineProperty(visualViewport, 'height', { value: 500, configurable: true });
      visualViewport.dispatchEvent(new Event('resize'))`);
    await expect.poll(bottom).toBeLessThan(500);
    await composer.blur();
    await expect.poll(bottom).toBeGreaterThan(700);
    // Other browsers resize the page because it asks for it.
    expect(await page.locator('meta[name=viewport]').getAttribute('content')).toContain('resizes-content');
    await page.setViewportSize({ width: 390, height: 500 });
    await expect.poll(bottom).toBeLessThan(500);
  });
});

test('the top bar of a phone shows the title of the current screen', async () => {
  const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const bar = page.locator('header').first();
  await go(page, '/agents');
  await bar.getByText('Agents', { exact: true }).waitFor();
  await go(page, '/settings/billing');
  await bar.getByText('Billing', { exact: true }).waitFor();
});

test('the menu of a phone closes with each navigation, also to the screen that is open, and stays closed', async () => {
  const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const menu = page.getByRole('dialog', { name: 'Menu' });
  const choose = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Menu', exact: true }).tap();
    await menu.getByRole('link', { name, exact: true }).tap();
    await menu.waitFor({ state: 'detached' });
  };
  await go(page, '/chat');
  await choose('New chat');
  await choose('Agents');
  await page.goBack();
  await page.getByRole('button', { name: 'Agent: Ada' }).waitFor();
  await settled(page);
  expect(await menu.count()).toBe(0);
});

describe('a window at 400 % zoom', () => {
  test('reaches the account menu and all of its entries', async () => {
    const page = await open({ viewport: { width: 320, height: 256 } });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  test.each([200, 256])(
    'brings a message and the composer of a conversation into view at a height of %i',
    async (height) => {
      const page = await open({ viewport: { width: 320, height } });
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

test.each([720, 900, 1024])('lists in a window of %i px leave their main column its width', async (width) => {
  const page = await app.visitSignedIn('/robots.txt', { viewport: { width, height: 800 } });
  const as = page.token;
  await app.call('POST', '/v1/agents', { as, body: { name: 'Librarian', instructions: 'You are a librarian.' } });
  const webhook = { url: 'https://example.com/orders', events: ['agent.created'], active: false };
  await app.call('POST', '/v1/webhooks', { as, body: webhook });
  const widths: number[] = [];
  for (const path of ['/agents', '/webhooks', '/settings/security']) {
    await go(page, path);
    await settled(page);
    const main = await page.locator('main :is(a[data-row], td:first-child)').first().boundingBox();
    widths.push(main?.width ?? 0);
  }
  expect(widths.filter((one) => one < 150)).toEqual([]);
});

test('long names without spaces leave a phone its width and its buttons', async () => {
  const page = await app.visitSignedIn('/robots.txt', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const as = page.token;
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
  for (const [path, buttons] of Object.entries(screens)) {
    await go(page, path);
    await settled(page);
    if (!(await page.evaluate(fitsWidth))) faults.push([path, 'wider than the window']);
    for (const button of buttons) {
      const box = await page
        .getByText(button, { exact: true })
        .or(page.getByLabel(button, { exact: true }))
        .last()
        .boundingBox();
      if (!box || box.x < 0 || box.x + box.width > 390) faults.push([path, button, box]);
    }
  }
  expect(faults).toEqual([]);
});

test('suggested first messages stay inside a phone', async () => {
  const page = await app.visitSignedIn('/robots.txt', { viewport: { width: 390, height: 844 } });
  const description = 'Explains things to people who ask.';
  const body = { name: 'Ada', description, instructions: 'You are a librarian.', greeting_message: 'Hello!' };
  const { body: agent } = await app.call('POST', '/v1/agents', { as: page.token, body });
  await go(page, `/chat?agent=${agent.id}`);
  const suggested = page.getByRole('button', { name: /people who ask/ });
  await suggested.first().waitFor();
  const edges = await Promise.all((await suggested.all()).map((one) => one.boundingBox()));
  expect(edges.filter((box) => !box || box.x < 12 || box.x + box.width > 378)).toEqual([]);
});
