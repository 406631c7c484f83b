import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, startConsole } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { fitsWidth } from '../../support/layout.ts';

const total = 160;
const pageSize = 24;

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
  const { id } = await app.signUp();
  await app.db.query(
    `insert into agents (id, owner_id, name, instructions, model, is_public, published_at, created_at, updated_at)
     select gen_random_uuid(), $1, 'Agent ' || n, 'x', 'default', true, now() - n * interval '1 s', now(), now()
     from generate_series(1, ${total}) n`,
    [id],
  );
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

/** What scrolls: `main`, and the window where there is no account. */
const scroller = `[document.querySelector('#content'), document.scrollingElement].find(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)`;
const scrollToEnd = (page: Page) => page.evaluate(`{ const view = ${scroller}; view.scrollTop = view.scrollHeight; }`);
const scrollTop = async (page: Page): Promise<number> => Number(await page.evaluate(`${scroller}.scrollTop`));
const cards = (page: Page) => page.getByRole('link', { name: /^Agent \d+$/ });
const shown = (page: Page, count: number) => eventually(async () => (await cards(page).count()) === count);
const more = (page: Page) => page.getByRole('button', { name: 'More', exact: true });
const status = (page: Page) => page.getByRole('main').getByRole('status');

/** Counts requests for the list of a screen; they fail while `isDown`. */
async function watchReads(page: Page, operation: string) {
  const reads = { count: 0, isDown: false };
  await page.route('**/graphql', (route) => {
    if (!route.request().postData()?.includes(`query ${operation}(`)) return route.fallback();
    reads.count += 1;
    return reads.isDown
      ? route.fulfill({ json: { errors: [{ message: 'The service broke.', extensions: { code: 'INTERNAL_ERROR' } }] } })
      : route.fallback();
  });
  return reads;
}

describe.each([
  ['/explore?sort=RECENT', 'Explore'],
  ['/marketplace?sort=RECENT', 'Marketplace'],
])('the list of %s', (path, operation) => {
  const open = async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const reads = await watchReads(page, operation);
    await go(page, path);
    await shown(page, pageSize);
    return { page, reads };
  };

  test('loads further pages when the reader comes near its end, says so, and waits for the button after five', async () => {
    const { page, reads } = await open();
    expect(reads.count).toBe(1);
    for (let pages = 2; pages <= 5; pages++) {
      await scrollToEnd(page);
      await shown(page, pages * pageSize);
      await expect.poll(() => status(page).innerText()).toBe(`${pages * pageSize} shown`);
    }
    const names = await cards(page).allInnerTexts();
    expect(new Set(names).size).toBe(5 * pageSize);
    // What is below the list can be reached now.
    await scrollToEnd(page);
    await page.getByText('The same with the API').last().scrollIntoViewIfNeeded();
    expect([await cards(page).count(), reads.count]).toEqual([5 * pageSize, 5]);
    await more(page).press('Enter');
    await eventually(async () => (await cards(page).count()) >= 6 * pageSize);
    expect(await more(page).evaluate((button) => button === document.activeElement)).toBe(true);
    await scrollToEnd(page);
    await shown(page, total);
    expect(await more(page).count()).toBe(0);
    expect([await status(page).innerText(), reads.count]).toEqual([`${total} shown`, 7]);
  });

  test('shows why a page did not load, and asks for it again only when the reader wants it', async () => {
    const { page, reads } = await open();
    reads.isDown = true;
    await scrollToEnd(page);
    await page.getByRole('alert').getByText('The service broke.').waitFor();
    const tried = reads.count;
    for (let times = 0; times < 3; times++) {
      await page.evaluate(`${scroller}.scrollTop = 0`);
      await scrollToEnd(page);
    }
    const retry = page.getByRole('button', { name: 'Try again' });
    expect([reads.count, await cards(page).count(), await retry.count()]).toEqual([tried, pageSize, 1]);
    reads.isDown = false;
    await retry.press('Enter');
    await shown(page, 2 * pageSize);
    expect([await page.getByRole('alert').getByText('The service broke.').count(), reads.count]).toEqual([
      0,
      tried + 1,
    ]);
    await scrollToEnd(page);
    await shown(page, 3 * pageSize);
  });

  test('is as it was left when the reader comes back', async () => {
    const { page, reads } = await open();
    await scrollToEnd(page);
    await shown(page, 2 * pageSize);
    const card = cards(page).nth(pageSize + 3);
    await card.scrollIntoViewIfNeeded();
    const [name, left] = [await card.innerText(), await scrollTop(page)];
    expect(left).toBeGreaterThan(0);
    await card.click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    expect(await page.evaluate(`document.querySelector('#content').scrollTop`)).toBe(0);
    const before = reads.count;
    await page.goBack();
    await shown(page, 2 * pageSize);
    await expect.poll(() => scrollTop(page)).toBe(left);
    await page.goForward();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    expect(reads.count).toBe(before);
  });
});

test('a visitor without an account scrolls the window, on a phone too', async () => {
  const page = await app.visit('/robots.txt', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const reads = await watchReads(page, 'Marketplace');
  await go(page, '/marketplace?sort=RECENT');
  await shown(page, pageSize);
  expect(reads.count).toBe(1);
  await scrollToEnd(page);
  await shown(page, 2 * pageSize);
  const card = cards(page).nth(pageSize - 1);
  await card.scrollIntoViewIfNeeded();
  const left = await scrollTop(page);
  expect(left).toBeGreaterThan(0);
  await card.click();
  await page.getByRole('heading', { level: 1, name: /^Agent / }).waitFor();
  await page.goBack();
  await eventually(async () => (await cards(page).count()) === 2 * pageSize && (await scrollTop(page)) === left);
  expect(await page.evaluate(fitsWidth)).toBe(true);
});
