import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { composer, fillWith, openChat, restingPlace } from '../../support/chat-page.ts';
import { eventually } from '../../support/eventually.ts';
import { refuseOnce } from '../../support/refuse-once.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => {
  app.expectNoFaults();
  app.model.reset();
});
afterAll(() => app.close());

describe('a long conversation', () => {
  test('opens at its end, loads older messages without a jump, and a search opens the message in its place', async () => {
    const page = await openChat(app);
    await fillWith(app, page, 300);
    await page.reload();
    await page.getByText('Message number 300').waitFor();
    const first = page.locator('article').filter({ hasText: 'Message number 291' });
    const earlier = page.getByRole('button', { name: 'Earlier messages' });
    await earlier.scrollIntoViewIfNeeded();
    await restingPlace(first);
    // A scripted click, because a mouse click may scroll to the button first.
    const before = (await page.evaluate(`(() => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Earlier messages');
      const { top } = button.parentElement.nextElementSibling.getBoundingClientRect();
      button.click();
      return top;
    })()`)) as number;
    await page.getByText('Message number 241').waitFor({ state: 'attached' });
    expect(Math.abs((await restingPlace(first)) - before)).toBeLessThanOrEqual(2);

    const reads = messageReads(page);
    await page.goto('/search');
    await page.getByRole('searchbox').fill('number');
    const hits = page.getByRole('main').locator('a[data-row]');
    await expect.poll(() => hits.count()).toBe(50);
    await refuseOnce(page, 'query SearchConversations');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('alert').getByText('Not now.').waitFor();
    expect(await hits.count()).toBe(50);
    await page.getByRole('searchbox').fill('wombat -kangaroo');
    await page.locator('mark', { hasText: 'wombat' }).click();
    const thread = page.getByRole('log');
    const found = thread.getByText('The elusive wombat lives here.');
    await found.waitFor();
    const foundAt = page.url();
    const isInTheMiddle = async () => {
      const [position, view] = [await found.boundingBox(), await thread.boundingBox()];
      if (!position || !view) return false;
      return Math.abs(position.y + position.height / 2 - (view.y + view.height / 2)) < 60;
    };
    await eventually(isInTheMiddle);
    await restingPlace(found);
    expect(await isInTheMiddle()).toBe(true);
    expect(reads.length).toBe(1);
    const markedWords = `[...CSS.highlights.get('found')].map(({ startContainer, startOffset, endOffset }) =>
      startContainer.data.slice(startOffset, endOffset))`;
    expect(await page.evaluate(markedWords)).toEqual(['wombat']);

    await page.getByRole('button', { name: 'Later messages' }).click();
    await page.getByText('Message number 114').waitFor({ state: 'attached' });
    expect(await thread.locator('article').count()).toBeLessThan(101);
    await page.getByRole('button', { name: 'To the end' }).click();
    await page.getByText('Message number 300').waitFor();
    expect(reads.length).toBe(3);

    await page.goto(foundAt);
    await found.waitFor();
    await composer(page).press('ArrowUp');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Edit the message' }).inputValue())
      .toBe('Message number 299');

    await page.goto(`/chat/${page.id}?m=msg_00000000-0000-4000-8000-000000000000`);
    await page.getByText('The message was removed, or is in another version').waitFor();
    await page.getByText('Message number 300').waitFor();
  });
});

/** Records the requests for messages of a thread. */
function messageReads(page: Page): string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    const body = request.postData();
    if (body?.includes('query Messages(')) reads.push(body);
  });
  return reads;
}
