import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { composer, tutor } from '../../support/chat-page.ts';
import { eventually } from '../../support/eventually.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
// Each test causes errors, which the page logs and shows.
afterEach(() => app.expectNoFaults(/^(log|error): /));
afterAll(() => app.close());

async function openChat(before?: (page: Page) => Promise<unknown>) {
  const page = await app.visitSignedIn('/robots.txt');
  await before?.(page);
  const { id } = await app.createConversation(page.token, tutor);
  await page.goto(`/chat/${id}`);
  await composer(page).fill('half a thought');
  let loads = 0;
  page.on('load', () => (loads += 1));
  return { page, id, loads: () => loads };
}

describe('an asset of an older release', () => {
  const assetOf = (page: Page, part: RegExp, times?: number) =>
    page.route(part, (route) => route.fulfill({ status: 404 }), times ? { times } : {});
  const goneUntilReload = (page: Page, part: RegExp, loads: () => number) =>
    page.route(part, (route) => (loads() === 0 ? route.fulfill({ status: 404 }) : route.fallback()));

  test('that one instance does not have is requested again', async () => {
    const { page, loads } = await openChat();
    await assetOf(page, /assets\/agents-page-.*\.js/, 2);
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    expect(loads()).toBe(0);
  });

  test('that is a stylesheet is requested again too', async () => {
    const { page, loads } = await openChat();
    await assetOf(page, /assets\/explore-.*\.css/, 1);
    await page.getByRole('link', { name: 'Explore', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
    const isStyled = `[...document.styleSheets].some((sheet) => sheet.href?.includes('/explore-') && sheet.cssRules.length > 0)`;
    expect([await page.evaluate(isStyled), loads()]).toEqual([true, 0]);
  });

  test('that no longer exists causes one reload, with the draft kept', async () => {
    const { page, id, loads } = await openChat();
    await goneUntilReload(page, /assets\/agents-page-.*\.js/, loads);
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await eventually(() => loads() === 1);
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    await page.goto(`/chat/${id}`);
    expect(await composer(page).inputValue()).toBe('half a thought');
  });

  test('that only a part of the page needs offers a reload without interrupting the reader', async () => {
    // Before the page loads, because after ten seconds it preloads such parts.
    const { page, loads } = await openChat((opened) => assetOf(opened, /assets\/layers-.*\.js/, 3));
    await page.mouse.move(640, 400);
    await page.getByText('A new version is ready.').waitFor();
    expect(loads()).toBe(0);
    await page.getByRole('button', { name: 'Reload' }).click();
    await eventually(() => loads() === 1);
    expect(await composer(page).inputValue()).toBe('half a thought');
  });

  test('that other parts share, and that could not be loaded once, causes one reload', async () => {
    let loads = 0;
    const errors: string[] = [];
    const { page } = await openChat(async (opened) => {
      opened.on('load', () => (loads += 1));
      opened.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      // Not by a route that ends with its first use, because requests may hang while the browser stops intercepting them.
      let requests = 0;
      await opened.route(/assets\/early-.*\.js/, (route) => {
        requests += 1;
        return requests === 1 ? route.fulfill({ status: 503 }) : route.fallback();
      });
    });
    expect(loads).toBe(2);
    expect(errors.filter((error) => error.includes('is not a function'))).toEqual([]);
    expect(await composer(page).inputValue()).toBe('half a thought');
  });

  test('that stays missing ends in a page that says so, not in a loop', async () => {
    const { page, loads } = await openChat();
    await assetOf(page, /assets\/agents-page-.*\.js/);
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await eventually(() => loads() === 1);
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
    expect(loads()).toBe(1);
  });
});
