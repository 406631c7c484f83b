import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import { composer, fillWith, openChat, restingPlace } from '../../support/chat-page.ts';
import { eventually } from '../../support/eventually.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => {
  app.expectNoFaults();
  app.model.reset();
});
afterAll(() => app.close());

describe('the console stays small', () => {
  test('in a long conversation: it keeps at most 400 messages, and loads the far end again', async () => {
    const page = await openChat(app);
    await fillWith(app, page, 500);
    await page.reload();
    const earlier = page.getByRole('button', { name: 'Earlier messages' });
    const loaded = () => page.locator('article').count();
    await page.getByText('Message number 500').waitFor();
    for (let first = 441; first > 41; first -= 50) {
      await earlier.click();
      await page.getByText(`Message number ${first}`, { exact: true }).waitFor({ state: 'attached' });
    }
    expect(await loaded()).toBeLessThanOrEqual(400);
    expect(await page.getByText('Message number 500', { exact: true }).count()).toBe(0);
    // A key costs the same however many messages are shown: it touches none of them. Only their times change by themselves.
    await page.evaluate(`{
      globalThis.touched = [];
      const ofTime = ({ target }) => (target.parentElement ?? target).closest('time') !== null;
      new MutationObserver((records) => touched.push(...records.filter((record) => !ofTime(record)).map(({ target }) => target.nodeName)))
        .observe(document.querySelector('[role=log]'), { childList: true, characterData: true, attributes: true, subtree: true });
    }`);
    await composer(page).pressSequentially('What is a prime number?');
    expect(await page.evaluate('touched')).toEqual([]);
    await composer(page).fill('');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    expect(usedSize / 1_000_000).toBeLessThanOrEqual(25);

    await page.getByRole('button', { name: 'Later messages' }).click();
    await page.getByText('Message number 500', { exact: true }).waitFor({ state: 'attached' });
    await earlier.click();
    await page.getByText('Message number 500', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'To the end' }).click();
    await page.getByText('Message number 500', { exact: true }).waitFor();
  });

  test('in use: twenty conversations and back grow the heap by less than 5 MB', async () => {
    const page = await openChat(app);
    await fillWith(app, page, 50);
    const ids = [page.id];
    const { agent_id } = (await app.call('GET', `/v1/conversations/${page.id}`, { as: page.token })).body;
    while (ids.length <= 20) {
      const { id } = (await app.call('POST', '/v1/conversations', { as: page.token, body: { agent_id } })).body;
      await fillWith(app, { id }, 50);
      ids.push(id);
    }
    const open = async (id: string) => {
      await go(page, `/chat/${id}`);
      await page.getByText('Message number 50', { exact: true }).waitFor();
    };
    const devtools = await page.context().newCDPSession(page);
    const used = async (): Promise<number> => {
      await devtools.send('HeapProfiler.collectGarbage');
      return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1_000_000;
    };
    await page.reload();
    for (const id of ids.slice(1, 3)) await open(id);
    await open(page.id);
    const before = await used();
    for (const id of ids.slice(1)) await open(id);
    await open(page.id);
    expect((await used()) - before).toBeLessThan(5);
  });
});

describe('a long conversation', () => {
  test('is loaded up to its first message, which a search of the browser covers', async () => {
    const page = await openChat(app);
    await fillWith(app, page, 500);
    await page.reload();
    await page.getByText('Message number 500').waitFor();
    const earlier = page.getByRole('button', { name: 'Earlier messages' });
    for (let first = 441; first > 1; first -= 50) {
      await earlier.click();
      await page.getByText(`Message number ${first}`, { exact: true }).waitFor({ state: 'attached' });
    }
    await earlier.click();
    const first = page.locator('article').filter({ hasText: 'Once upon a time' });
    await first.waitFor({ state: 'attached' });
    await earlier.waitFor({ state: 'detached' });
    const isInView = async () => {
      const [found, view] = [await first.boundingBox(), await page.getByRole('log').boundingBox()];
      return found !== null && view !== null && found.y >= view.y && found.y < view.y + view.height;
    };
    await restingPlace(first);
    await page.evaluate(`{ const log = document.querySelector('[role=log]'); log.scrollTop = log.scrollHeight; }`);
    await eventually(async () => !(await isInView()));
    // A browser finds what is rendered, though it draws only what is near the view; a headless one has no such search.
    const rendering = await first.evaluate((article) => [
      getComputedStyle(article).contentVisibility,
      article.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
      article.closest('[inert], [hidden]'),
    ]);
    expect(rendering).toEqual(['auto', true, null]);
    expect(await page.getByRole('article', { name: 'You' }).filter({ hasText: 'Once upon a time' }).count()).toBe(1);
    await first.evaluate((article) => article.scrollIntoView());
    await eventually(isInView);
  });
});
