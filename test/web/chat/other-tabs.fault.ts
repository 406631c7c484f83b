import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import { ask, type ChatPage, composer, finished, openOwnChat, reply, storedMessages } from '../../support/chat-page.ts';
import { cuttableSockets } from '../../support/cut-sockets.ts';
import { holdAnswer } from '../../support/hold-answer.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => {
  app.expectNoFaults(/WebSocket|ERR_CONNECTION_RESET/);
  app.model.reset();
});
afterAll(() => app.close());

const thread = (page: Page) => page.getByRole('log');
const conversations = (page: Page) => page.getByRole('navigation', { name: 'Conversations' }).getByRole('link');
const shown = async (page: Page): Promise<string> => (await thread(page).locator('article').allInnerTexts()).join('|');

/** Writes a message with another client of the account. */
const writeElsewhere = (page: ChatPage, content: string) =>
  app.call('POST', `/v1/conversations/${page.id}/messages`, { as: page.token, body: { content } });

const createElsewhere = async (page: ChatPage): Promise<string> => {
  const { body } = await app.call('GET', `/v1/conversations/${page.id}`, { as: page.token });
  const created = await app.call('POST', '/v1/conversations', { as: page.token, body: { agent_id: body.agent_id } });
  return created.body.id;
};

/** Opens the same conversation in a second tab. */
async function openTab(page: ChatPage, text: string): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(`/chat/${page.id}`);
  await thread(other).getByText(text).waitFor();
  await conversations(other).first().waitFor();
  return other;
}

async function rename(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Conversation menu' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.keyboard.press('Enter');
}

describe('a conversation that is open', () => {
  test('shows everything that was written elsewhere while its connection was lost', async () => {
    const page = await openOwnChat(app);
    const network = await cuttableSockets(page, '/graphql');
    await page.reload();
    await createElsewhere(page);
    await expect.poll(() => conversations(page).count()).toBe(2);
    await network.cut();
    for (const n of ['one', 'two', 'three']) {
      app.model.script({ deltas: [`Answer ${n}.`], when: `Q: ${n}` });
      await writeElsewhere(page, `Q: ${n}`);
    }
    network.heal();
    await thread(page).getByText('Answer three.').waitFor();
    await expect
      .poll(async () => (await shown(page)).match(/Q: \w+|Answer \w+/g))
      .toEqual(['Q: one', 'Answer one', 'Q: two', 'Answer two', 'Q: three', 'Answer three']);
  });

  test('shows what is written elsewhere while it loads', async () => {
    const page = await openOwnChat(app);
    await go(page, '/agents');
    await page.reload();
    const held = await holdAnswer(page, 'Messages');
    await conversations(page).first().click();
    await held.answered;
    app.model.script({ deltas: ['From elsewhere.'], when: 'Q:' });
    await writeElsewhere(page, 'Q: elsewhere');
    await held.release();
    await expect.poll(() => shown(page)).toContain('From elsewhere.');
  });

  test('shows in a new tab what is stored while that tab reads the account', async () => {
    const page = await openOwnChat(app);
    const tab = await page.context().newPage();
    const gate = Promise.withResolvers<void>();
    await tab.route('**/graphql', async (route) => {
      if (/query Me\b/.test(route.request().postData() ?? '')) await gate.promise;
      return route.fallback();
    });
    const held = await holdAnswer(tab, 'Messages');
    await tab.goto(`/chat/${page.id}`);
    await held.answered;
    reply(app, 'From elsewhere.');
    await writeElsewhere(page, 'Q: elsewhere?');
    gate.resolve();
    await held.release();
    await expect.poll(() => shown(tab)).toContain('From elsewhere.');
  });

  test('shows a message that is written elsewhere just after a reply, and the reply to it', async () => {
    const page = await openOwnChat(app);
    const gate = Promise.withResolvers<void>();
    app.model.script({ deltas: ['Answer one.'], when: 'Q: one' });
    app.model.script({ deltas: ['Answer two.'], when: 'Q: two', gate: gate.promise });
    const held = await holdAnswer(page, 'Messages');
    await ask(page, 'Q: one');
    await held.answered;
    const followed = page.waitForRequest((request) => request.postData()?.includes('GenerationStream') === true);
    const written = writeElsewhere(page, 'Q: two');
    await thread(page).getByText('Q: two', { exact: true }).waitFor();
    await held.release();
    await followed;
    gate.resolve();
    await thread(page).getByText('Answer two.').waitFor();
    await written;
    expect((await shown(page)).match(/Q: \w+|Answer \w+/g)).toEqual(['Q: one', 'Answer one', 'Q: two', 'Answer two']);
  });

  test('shows only the new branch when a message is edited in another tab', async () => {
    const page = await openOwnChat(app);
    reply(app, 'To the first.');
    await ask(page, 'Q: first version');
    await finished(page);
    const other = await openTab(page, 'To the first.');
    app.model.script({ deltas: ['To the second.'], when: 'Q: second' });
    await composer(page).press('ArrowUp');
    await page.getByRole('textbox', { name: 'Edit the message' }).fill('Q: second version');
    await page.keyboard.press('Control+Enter');
    await thread(other).getByText('To the second.').waitFor();
    await expect.poll(() => shown(other)).not.toContain('first');
    await other.close();
  });

  test('shows only the new reply when one is regenerated in another tab', async () => {
    const page = await openOwnChat(app);
    reply(app, 'To the first.');
    await ask(page, 'Q: first version');
    await finished(page);
    const other = await openTab(page, 'To the first.');
    app.model.script({ deltas: ['Another one.'], when: 'Q:' });
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await thread(other).getByText('Another one.').waitFor();
    await expect.poll(() => shown(other)).not.toContain('To the first.');
    await other.close();
  });

  test('keeps a pin and a new name although it was being read, and its name when a pin fails', async () => {
    const page = await openOwnChat(app);
    const title = page.getByRole('heading', { level: 1 });
    const choose = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'Conversation menu' }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    const read = await holdAnswer(page, 'Conversation');
    reply(app, 'Received.');
    await ask(page, 'Q: name it');
    await read.answered;
    await choose('Pin');
    await page.getByRole('region', { name: 'Pinned' }).waitFor();
    await read.release();

    const gate = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation Arrange')) return route.fallback();
      await gate.promise;
      return route.fulfill({ json: { errors: [{ message: 'Not now.', extensions: { code: 'CONFLICT' } }] } });
    });
    await choose('Unpin');
    await rename(page, 'A name');
    await title.filter({ hasText: 'A name' }).waitFor();
    await conversations(page).filter({ hasText: 'A name' }).first().waitFor();
    const readAgain = await holdAnswer(page, 'Conversation');
    gate.resolve();
    await page.getByText('The conversation stays where it is.').waitFor();
    expect(await title.innerText()).toBe('A name');
    await readAgain.answered;
    await rename(page, 'My own name');
    await title.filter({ hasText: 'My own name' }).waitFor();
    await readAgain.release();
    await conversations(page).filter({ hasText: 'My own name' }).first().waitFor();
    expect(await title.innerText()).toBe('My own name');
    await choose('Unpin');
  });
});

test('a conversation that is deleted elsewhere while the list is read is not listed', async () => {
  const page = await openOwnChat(app);
  const second = await createElsewhere(page);
  await expect.poll(() => conversations(page).count()).toBe(2);
  const held = await holdAnswer(page, 'Conversations', 2);
  await rename(page, 'Mine');
  await held.answered;
  await app.call('DELETE', `/v1/conversations/${second}`, { as: page.token });
  await expect.poll(() => conversations(page).count()).toBe(1);
  await held.release();
  await expect.poll(() => conversations(page).allInnerTexts()).toEqual([expect.stringContaining('Mine')]);
});

test('a waiting message that is removed in one tab is not sent by another', async () => {
  const page = await openOwnChat(app);
  const other = await page.context().newPage();
  let isDown = true;
  for (const tab of [page, other])
    await tab.route('**/graphql/stream', (route) =>
      isDown && route.request().postData()?.includes('MessageStream')
        ? route.abort('connectionreset')
        : route.fallback(),
    );
  await ask(page, 'Q: taken back');
  await page.getByText('Waiting for the network').waitFor();
  await other.goto(`/chat/${page.id}`);
  const waiting = other.getByText('Waiting for the network');
  await waiting.waitFor();
  await page.getByRole('button', { name: 'Remove the message' }).click();
  await expect.poll(() => composer(page).inputValue()).toBe('Q: taken back');
  await waiting.waitFor({ state: 'detached' });
  isDown = false;
  reply(app, 'Received.');
  await ask(other, 'Q: another');
  await thread(other).getByText('Received.').waitFor();
  const contents = (await storedMessages(app, page)).map(({ content }) => content);
  expect(contents.toSorted()).toEqual(['Hello!', 'Q: another', 'Received.']);
  await other.close();
});
