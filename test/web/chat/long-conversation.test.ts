import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import { composer, openChat, restingPlace } from '../../support/chat-page.ts';
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
    await fillWith(page, 300);
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

  test('is loaded up to its first message, which a search of the browser covers', async () => {
    const page = await openChat(app);
    await fillWith(page, 500);
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

  test('keeps at most 400 messages, loads the far end again, and stays small', async () => {
    const page = await openChat(app);
    await fillWith(page, 500);
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

  test('leaves little in memory: twenty conversations and back grow the heap by less than 5 MB', async () => {
    const page = await openChat(app);
    await fillWith(page, 50);
    const ids = [page.id];
    const { agent_id } = (await app.call('GET', `/v1/conversations/${page.id}`, { as: page.token })).body;
    while (ids.length <= 20) {
      const { id } = (await app.call('POST', '/v1/conversations', { as: page.token, body: { agent_id } })).body;
      await fillWith({ id }, 50);
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

/** Records the requests for messages of a thread. */
function messageReads(page: Page): string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    const body = request.postData();
    if (body?.includes('query Messages(')) reads.push(body);
  });
  return reads;
}

/** Inserts messages into a conversation, after its greeting. */
const fillWith = (page: { id: string }, count: number) =>
  app.db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, parent_id, active, created_at)
     select 'msg_' || md5($1 || i)::uuid, $1, c.user_id, i + 10, case when i % 2 = 1 then 'user' else 'assistant' end,
       case i when 1 then 'Once upon a time' when 40 then 'The elusive wombat lives here.' else 'Message number ' || i end,
       'msg_' || md5($1 || (i - 1))::uuid, true, now() + i * interval '1 ms'
     from generate_series(1, $2::int) i cross join conversations c where c.id = $1`,
    [page.id, count],
  );
