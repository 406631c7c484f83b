import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { tutor } from '../../support/chat-page.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
// Each test causes errors, which the page logs and shows.
afterEach(() => app.expectNoFaults(/^(log|error): /));
afterAll(() => app.close());

describe('a slow network', () => {
  /** Holds the requests of a query until `release` is called. */
  const hold = async (page: Page, name: string): Promise<{ release: () => void }> => {
    const gate = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes(`query ${name}`)) await gate.promise;
      await route.fallback();
    });
    return { release: gate.resolve };
  };
  const loading = (page: Page) => page.getByRole('status').filter({ hasText: 'Loading' });
  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test('shows the outline of a page from the start, which the page does not move', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const opened = async (open: () => Promise<unknown>): Promise<unknown> => {
      const { release } = await hold(page, 'Me ');
      await open();
      await page.locator('[aria-busy=true]').waitFor();
      const outline = await page.locator('#root > div > div').first().boundingBox();
      release();
      await title(page, 'Agents').waitFor();
      expect(outline).toEqual(await page.locator('aside').first().boundingBox());
      return outline?.width;
    };
    expect(await opened(() => page.goto('/agents'))).toBe(264);
    await page.getByRole('button', { name: 'Collapse the sidebar' }).click();
    expect(await opened(() => page.reload())).toBe(56);
  });

  test('shows that the next screen is loading, and its outline if it takes long, unless a person is typing', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await app.createAgent(page.token, tutor);
    await page.goto('/agents');
    const editor = await hold(page, 'Agent(');
    await page.getByRole('link', { name: 'Ada' }).click();
    await loading(page).waitFor({ state: 'attached' });
    await title(page, 'Agents').waitFor({ state: 'hidden' });
    await page.getByRole('main').locator('[aria-busy=true]').waitFor();
    editor.release();
    await title(page, 'Ada').waitFor();
    await loading(page).waitFor({ state: 'detached' });

    const agents = await hold(page, 'MyChatAgents');
    const field = page.getByLabel('Name', { exact: true });
    await field.focus();
    await page.keyboard.press('Control+Shift+o');
    await loading(page).waitFor({ state: 'attached' });
    expect(await field.isVisible()).toBe(true);
    agents.release();
    await title(page, 'New chat').waitFor({ state: 'attached' });
  });
});

describe('while the service is down', () => {
  test('a screen opened while the service is down loads automatically once it is back, without a notice of a new version', async () => {
    const page = await app.visitSignedIn('/chat');
    await page.getByRole('link', { name: 'Explore', exact: true }).waitFor();
    let isDown = true;
    await page.route('**/*', (route) => (isDown ? route.abort('connectionrefused') : route.fallback()));
    await page.getByRole('link', { name: 'Explore', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
    await page.getByText('The service can’t be reached.').waitFor();
    isDown = false;
    await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
    expect(await page.getByText('A new version is ready.').count()).toBe(0);
  });

  test('a page whose first requests fail keeps its frame, and shows its screen once the service is back', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    let isDown = true;
    await page.route(/\/(session|graphql)/, (route) => (isDown ? route.abort('connectionrefused') : route.fallback()));
    await page.goto('/agents');
    await page.getByText('The service can’t be reached.').first().waitFor();
    await page.getByRole('link', { name: 'Explore', exact: true }).waitFor();
    isDown = false;
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Create your first agent').waitFor();
  });

  test('agents to choose from are loaded once they can be, in an open dialog too', async () => {
    const page = await app.visitSignedIn('/integrations');
    await app.createAgent(page.token, { name: 'Ada', instructions: 'You are a tutor.' });
    let refused = 0;
    await page.route('**/graphql', (route) => {
      if (refused === 4 || !route.request().postData()?.includes('query MyChatAgents')) return route.fallback();
      refused += 1;
      return route.abort('connectionrefused');
    });
    await page.reload();
    await page.getByRole('button', { name: 'Connect Telegram' }).click();
    const agent = page.getByRole('dialog').getByLabel('Agent');
    expect(await agent.innerText()).toMatch(/^Loading/);
    await agent.getByRole('option', { name: 'Ada' }).waitFor({ state: 'attached' });
    expect(refused).toBe(4);
  });

  test('a conversation whose messages could not be read is shown once the service is back', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createConversation(page.token, tutor);
    let isDown = true;
    await page.route('**/graphql', (route) =>
      isDown && route.request().postData()?.includes('query Messages')
        ? route.abort('connectionrefused')
        : route.fallback(),
    );
    await page.goto(`/chat/${id}`);
    await page.getByText('The service can’t be reached.').waitFor();
    isDown = false;
    await page.getByText('Hello!').waitFor();
  });
});

describe('a layer opened before its part is loaded', () => {
  const phone = { viewport: { width: 390, height: 844 } };
  const drawer = (page: Page) => page.getByRole('dialog', { name: 'Menu' });
  const menu = (page: Page) => page.getByRole('menu');
  const lost = (page: Page) => page.getByRole('alert').filter({ hasText: 'This could not be opened' });
  /** Without the events by which the console preloads its parts. */
  const press = (page: Page, label: string) =>
    page.evaluate(`document.querySelector('button[aria-label="${label}"]').click()`);
  const closeToast = (page: Page) => lost(page).getByRole('button', { name: 'Close' }).first().click();

  async function openOnPhone() {
    const page = await app.visitSignedIn('/robots.txt', phone);
    const { id } = await app.createConversation(page.token, tutor);
    await page.goto(`/chat/${id}`);
    await page.getByText('Hello!').waitFor();
    return page;
  }

  const losses = {
    'without a network': async (page: Page) => {
      await page.context().setOffline(true);
      return () => page.context().setOffline(false);
    },
    'while the service is down': async (page: Page) => {
      let isDown = true;
      await page.route('**/*', (route) => (isDown ? route.abort('connectionrefused') : route.fallback()));
      return async () => void (isDown = false);
    },
  };

  test.each(Object.entries(losses))('%s stays closed, and opens afterwards', async (_cause, lose) => {
    const page = await openOnPhone();
    const restore = await lose(page);
    for (const label of ['Menu', 'Conversation menu']) {
      await press(page, label);
      await lost(page).getByText('The service can’t be reached.').waitFor();
      expect(await page.getByText('Hello!').isVisible()).toBe(true);
      await closeToast(page);
    }
    await restore();
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await drawer(page).getByRole('link', { name: 'Agents', exact: true }).waitFor();
    expect((await drawer(page).boundingBox())?.width).toBeLessThan(390);
    await page.keyboard.press('Escape');
    await drawer(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Conversation menu' }).click();
    await menu(page).waitFor();
    expect(await page.getByText('A new version is ready.').count()).toBe(0);
  });
});
