import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import {
  ask,
  composer,
  finished,
  lastReply,
  lastText,
  openChat,
  openOwnChat,
  reply,
  storedMessages,
} from '../../support/chat-page.ts';
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

test('the agent of a new conversation is chosen with the keyboard, from the own ones and from public ones', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  const { id: newest } = await app.createAgent(page.token, { name: 'Ada' });
  const { id: older } = await app.createAgent(page.token, { name: 'Grace' });
  const other = await app.signUp();
  const name = `Public ${other.id}`;
  const published = await app.createAgent(other.token, { name, is_public: true });
  await page.goto(`/chat?agent=${newest}`);
  const choose = async (current: string, typed: string, id: string): Promise<void> => {
    await page.getByRole('button', { name: `Agent: ${current}` }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByPlaceholder('Find an agent').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(typed);
    await page.getByRole('option').filter({ hasText: typed }).waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ searchParams }) => searchParams.get('agent') === id);
    await page.getByPlaceholder('Find an agent').waitFor({ state: 'detached' });
  };
  await choose('Ada', 'Grace', older);
  await page.getByRole('heading', { name: 'Grace' }).waitFor();
  await composer(page).and(page.locator(':focus')).waitFor();
  await choose('Grace', name, published.id);
  await refuseOnce(page, 'Nothing like it');
  await page.getByRole('button', { name: `Agent: ${name}` }).click();
  await page.getByPlaceholder('Find an agent').fill('Nothing like it');
  await page.getByRole('dialog').getByRole('alert').getByText('Not now.').waitFor();
  expect(await page.getByText('No agent has this name.').count()).toBe(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No agent has this name.').waitFor();
  const { id: hidden } = await app.createAgent(other.token);
  const { promise: typed, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('query ChatAgent')) await typed;
    await route.fallback();
  });
  await page.goto(`/chat?agent=${hidden}`);
  await composer(page).fill('A thought');
  answer();
  await page.getByText('This agent was deleted or is private.').waitFor();
  await page.getByRole('heading', { name: 'Grace' }).waitFor();
  expect(await composer(page).inputValue()).toBe('A thought');
});

/** Records each text of the hidden status of a conversation in `said`. */
const recordAnnouncements = (page: Page): Promise<unknown> =>
  page.evaluate(`{
    globalThis.said = [];
    const status = document.querySelector('[data-announcer]');
    new MutationObserver(() => said.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
  }`);

describe('a conversation', () => {
  test('is created by its first message, and gets its title in the list', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await app.createAgent(page.token, { name: 'Ada', instructions: 'You are a tutor.', greeting_message: 'Hello!' });
    await page.goto('/chat');
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    expect((await app.call('GET', '/v1/conversations', { as: page.token })).body.total).toBe(0);
    reply(app, 'A prime has two divisors.');
    const shown = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation CreateConversation')) await shown.promise;
      await route.fallback();
    });
    await ask(page, 'Q: what is a prime number?');
    await page.getByText('Q: what is a prime number?').waitFor();
    expect(new URL(page.url()).pathname).toBe('/chat');
    shown.resolve();
    await page.waitForURL(/\/chat\/con/);
    await lastReply(page).getByText('A prime has two divisors.').waitFor();
    const { body } = await app.call('GET', '/v1/conversations', { as: page.token });
    expect(body.total).toBe(1);
  });

  test('shows its first question once, also when that was stored before the messages are read', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await app.createAgent(page.token, { name: 'Ada', instructions: 'You are a tutor.' });
    await page.route('**/graphql', async (route) => {
      const body = route.request().postDataJSON() as { query: string; variables: { conversationId?: string } };
      if (/query Messages\b/.test(body.query)) {
        const id = body.variables.conversationId ?? '';
        await eventually(async () => (await storedMessages(app, Object.assign(page, { id }))).length > 0);
      }
      await route.fallback();
    });
    await page.goto('/chat');
    reply(app, 'One two three four five six seven eight nine ten.', 200);
    await ask(page, 'Q: count to ten');
    await lastReply(page).getByText('One two three').waitFor();
    const questions = page.locator('article[aria-label="You"]');
    expect(await questions.count()).toBe(1);
    await finished(page);
    expect(await questions.count()).toBe(1);
  });

  test('shows Markdown: coloured code that is copied exactly, a table that scrolls by itself, a formula', async () => {
    const page = await openOwnChat(app, { viewport: { width: 390, height: 844 } });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const code = 'const a = 1;\nif (a < 2) go();';
    app.model.script({
      deltas: [`Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\n| ${'wide | '.repeat(12)}\n| ${'- | '.repeat(12)}\n\nAnd $a^2$.`],
      when: 'Q:',
    });
    await ask(page, 'Q: show me');
    await finished(page);
    await page.locator('.hljs-keyword').first().waitFor();
    await page.locator('math').waitFor();
    await page.getByRole('button', { name: 'Copy code' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(code);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.evaluate('{ navigator.clipboard.writeText = () => Promise.reject(new Error()); }');
    await page.getByRole('button', { name: 'Copy code' }).click();
    await page.getByText('The browser did not allow copying.').waitFor();
  });

  test('nothing that a model writes is executed, loaded or hidden', async () => {
    const page = await openChat(app);
    app.model.script({
      deltas: [
        'An ![image](https://evil.example/x.png) and <img src=x onerror="alert(1)"> and [link](javascript:alert(1)).',
      ],
      when: 'Q:',
    });
    await ask(page, 'Q: attack');
    await finished(page);
    expect(await lastReply(page).locator('img').count()).toBe(0);
    expect(await lastReply(page).locator('a[href^="javascript"]').count()).toBe(0);
    expect(await lastReply(page).getByRole('link', { name: 'image' }).getAttribute('rel')).toContain('noopener');
  });

  test('puts the question at the top and does not move under the reader while the reply grows', async () => {
    const page = await openChat(app);
    reply(app, 'words '.repeat(400), 5);
    await ask(page, 'Q: a long one');
    await lastReply(page).getByText('words').waitFor();
    const top = 'document.querySelector("[role=log]").scrollTop';
    const belowTop = async () => {
      const question = await page.getByText('Q: a long one').boundingBox();
      const thread = await page.getByRole('log').boundingBox();
      return (question?.y ?? 0) - (thread?.y ?? 0);
    };
    await expect.poll(belowTop).toBeLessThan(60);
    const before = await page.evaluate(top);
    await finished(page);
    expect(await page.evaluate(top)).toBe(before);
    expect(await belowTop()).toBeLessThan(60);
  });

  test('"Stop" ends a reply whose model is silent; what was written stays, also after a reload, marked as stopped', async () => {
    const page = await openChat(app);
    const text = 'One two three four five ';
    app.model.script({ deltas: text.match(/\S+\s*/g) ?? [], when: 'Q:', fault: { kind: 'hang', after: 5 } });
    await ask(page, 'Q: never stop');
    await lastReply(page).getByText(text.trim()).waitFor();
    // The model says nothing more: only the button can end this.
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await lastReply(page).getByText(text.trim()).waitFor();
    await eventually(() => app.model.requests.some(({ outcome }) => outcome === 'aborted'));
    expect((await storedMessages(app, page))[0]?.content.trim()).toBe(text.trim());
    await page.reload();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await lastReply(page).getByText(text.trim()).waitFor();
  });

  test('"Stop" ends a reply in full flow: once the service has stopped it, the text is settled within half a second of drawings', async () => {
    const page = await openChat(app);
    reply(app, 'word '.repeat(5_000), 20);
    await ask(page, 'Q: never stop');
    await lastReply(page).getByText('word').waitFor();
    // From the answer to "Stop" on, each different text of the reply is noted.
    await page.evaluate(`{
      globalThis.drawn = null;
      const send = fetch;
      globalThis.fetch = async (...request) => {
        const answer = await send(...request);
        if (!String(request[1]?.body).includes('mutation StopGeneration')) return answer;
        const article = [...document.querySelectorAll('article[aria-label="Ada"]')].at(-1);
        const words = () => article.textContent.match(/word/g)?.length;
        globalThis.drawn = [words()];
        new MutationObserver(() => drawn.at(-1) !== words() && drawn.push(words()))
          .observe(article, { childList: true, characterData: true, subtree: true });
        return answer;
      };
    }`);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    const wordsOf = (text: string | undefined) => text?.match(/word/g)?.length;
    const stored = wordsOf((await storedMessages(app, page))[0]?.content);
    expect(wordsOf(await lastText(page))).toBe(stored);
    const drawn = (await page.evaluate('drawn')) as number[];
    // Twenty drawings are a second.
    expect(drawn.length).toBeLessThanOrEqual(10);
    expect(drawn.at(-1)).toBe(stored);
    // Without the wrapped fetch.
    await page.reload();
    await page.getByText('Stopped', { exact: true }).waitFor();
    expect(wordsOf(await lastText(page))).toBe(stored);
  });

  test('a screen reader hears that a reply is written and then its text, no more', async () => {
    const page = await openChat(app);
    await recordAnnouncements(page);
    const announced = Promise.withResolvers<void>();
    const deltas = '**Twelve** words that are written one after the other, for a test.'.match(/\S+\s*/g) ?? [];
    app.model.script({ deltas, deltaDelayMs: 30, when: 'Q:', gate: announced.promise });
    await ask(page, 'Q: announce');
    await eventually(async () => ((await page.evaluate('said.length')) as number) === 1);
    announced.resolve();
    await finished(page);
    await eventually(async () => ((await page.evaluate('said.length')) as number) === 2);
    expect(await page.evaluate('said')).toEqual([
      'Ada is writing.',
      'Twelve words that are written one after the other, for a test.',
    ]);
  });

  test('a screen reader does not hear that a reply is written while its message waits, or after it failed', async () => {
    const page = await openChat(app);
    await recordAnnouncements(page);
    await page.context().setOffline(true);
    await ask(page, 'Q: wait');
    await page.getByText('Waiting for the network').waitFor();
    await page.getByRole('button', { name: 'Remove the message' }).click();
    await page.context().setOffline(false);
    expect(await page.evaluate('said')).toEqual([]);
    app.model.script({ status: 500, times: 3, when: 'Q: fail' });
    await ask(page, 'Q: fail');
    await page.getByRole('alert').filter({ hasText: 'model' }).waitFor();
    expect(await page.evaluate('said')).toEqual(['Ada is writing.', '']);
    expect(await page.locator('[data-announcer]').innerText()).toBe('');
  });

  test('the settled blocks of a reply do not change while it grows', async () => {
    const page = await openChat(app);
    const paragraphs = Array.from({ length: 24 }, (_, place) => `Paragraph ${place} has a few words.\n\n`);
    app.model.script({ deltas: paragraphs, deltaDelayMs: 40, when: 'Q:' });
    await ask(page, 'Q: settle');
    await lastReply(page).getByText('Paragraph 1 has').waitFor();
    await page.evaluate(`{
      globalThis.touched = [];
      const blocks = [...document.querySelectorAll('article[aria-label="Ada"]')].at(-1).querySelector('[dir=auto]').parentElement;
      new MutationObserver((records) => {
        const settled = blocks.children.length - 5;
        for (const { target } of records) {
          const block = [...blocks.children].findIndex((child) => child.contains(target));
          if (block >= 0 && block < settled) touched.push(target.textContent);
        }
      }).observe(blocks, { childList: true, characterData: true, attributes: true, subtree: true });
    }`);
    await finished(page);
    expect(await page.evaluate('touched')).toEqual([]);
  });
});
