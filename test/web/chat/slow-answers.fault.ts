import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, type SignedInPage, shareConsole } from '../../support/browser.ts';
import { ask, composer, finished, lastReply, openOwnChat, reply, storedMessages } from '../../support/chat-page.ts';
import { succeed } from '../../support/client.ts';
import { cuttableSockets } from '../../support/cut-sockets.ts';
import { holdAnswer, loseAnswer } from '../../support/hold-answer.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => {
  app.expectNoFaults(/WebSocket|ERR_CONNECTION_RESET/);
  app.model.reset();
});
afterAll(() => app.close());

const thread = (page: Page) => page.getByRole('log', { name: 'Messages' });

async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.keyboard.press('Enter');
}

const call = (page: SignedInPage, method: string, path: string, body?: object) =>
  succeed(app, page.token, method, path, body);

/** Opens a new room of a new account. */
async function openRoom(prepare?: (page: SignedInPage, id: string) => Promise<void>) {
  const page = await app.visitSignedIn('/robots.txt');
  const { id } = (await call(page, 'POST', '/rooms', { name: 'Kitchen' })) as { id: string };
  await prepare?.(page, id);
  await go(page, `/rooms/${id}`);
  await composer(page).waitFor();
  return { page, id };
}

/** Opens a new room with an agent whose replies fail. */
const openFailingRoom = () =>
  openRoom(async (page, id) => {
    const agent = await app.createAgent(page.token, { name: 'Ada', instructions: 'You are Ada.' });
    await call(page, 'POST', `/rooms/${id}/agents`, { agent_id: agent.id });
    app.model.script({ status: 400, error: { message: 'No.' }, times: 5, when: 'hello' });
  });

async function contentsOf(page: SignedInPage, id: string) {
  const { data } = await call(page, 'GET', `/rooms/${id}/messages`);
  return data as { id: string; content: string; reply_to: string | null }[];
}

describe('in a room', () => {
  test('the same words are posted again after the answer to the first was lost', async () => {
    const { page, id } = await openRoom();
    await loseAnswer(page, 'PostRoomMessage');
    await write(page, 'Yes');
    await page.getByText('The message was not sent').waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe('Yes');
    for (const text of ['Something else', 'Yes']) {
      const answer = page.waitForResponse((response) => response.request().postData()?.includes('PostRoom') === true);
      await write(page, text);
      await expect.poll(() => composer(page).inputValue()).toBe('');
      await expect.poll(() => thread(page).locator('[aria-busy=true]').count()).toBe(0);
      await answer;
    }
    await expect
      .poll(async () => (await contentsOf(page, id)).map(({ content }) => content).toSorted())
      .toEqual(['Something else', 'Yes', 'Yes']);
  });

  test('a message is shown once while its answer is slow', async () => {
    const { page } = await openRoom();
    const held = await holdAnswer(page, 'PostRoomMessage');
    await write(page, 'Once');
    await held.answered;
    const copies = thread(page).getByText('Once', { exact: true });
    await expect.poll(() => thread(page).locator('[aria-busy=true]').count()).toBe(0);
    expect(await copies.count()).toBe(1);
    await held.release();
    expect(await copies.count()).toBe(1);
  });

  test('a message to reply to belongs to one message, and to none that was sent before it was chosen', async () => {
    const { page, id } = await openRoom();
    for (const text of ['Apples', 'Pears']) {
      await write(page, text);
      await thread(page).getByText(text, { exact: true }).waitFor();
    }
    const replyTo = async (text: string): Promise<void> => {
      const article = thread(page).getByRole('article').filter({ hasText: text }).first();
      await article.hover();
      await article.getByRole('button', { name: 'Reply', exact: true }).click();
    };
    const held = await holdAnswer(page, 'PostRoomMessage', 2);
    await replyTo('Apples');
    await write(page, 'to the apples');
    await write(page, 'on its own');
    await replyTo('Pears');
    await composer(page).fill('to the pears');
    await held.release();
    await composer(page).press('Enter');
    await expect.poll(async () => (await contentsOf(page, id)).length).toBe(5);
    const rows = await contentsOf(page, id);
    const contentOf = (of: string | null | undefined) => rows.find((row) => row.id === of)?.content;
    const targets = rows.map(({ content, reply_to }) => [content, contentOf(reply_to)]);
    expect(Object.fromEntries(targets)).toMatchObject({
      'to the apples': 'Apples',
      'on its own': undefined,
      'to the pears': 'Pears',
    });
  });

  test('a reply that fails before the answer to its message arrives does not wait forever', async () => {
    const { page } = await openFailingRoom();
    const held = await holdAnswer(page, 'PostRoomMessage');
    await write(page, '@Ada, hello');
    await thread(page).getByRole('alert').waitFor();
    await held.release();
    expect(await thread(page).getByRole('alert').count()).toBe(1);
    expect(await thread(page).locator('[aria-busy=true]').count()).toBe(0);
  });

  test('a failure that was dismissed does not return with the room', async () => {
    const { page, id } = await openFailingRoom();
    await write(page, '@Ada, hello');
    await thread(page).getByRole('button', { name: 'Dismiss' }).click();
    await thread(page).getByRole('alert').waitFor({ state: 'detached' });
    await go(page, '/agents');
    await go(page, `/rooms/${id}`);
    // Its event follows those before it, and the agent replies to it.
    app.model.reset();
    await call(page, 'POST', `/rooms/${id}/messages`, { content: 'Later' });
    await thread(page).getByText('Later', { exact: true }).waitFor();
    expect(await thread(page).getByRole('alert').count()).toBe(0);
  });

  test('a message that was posted between the answers of an empty room is shown', async () => {
    const { page, id } = await openRoom();
    await page.goto('/robots.txt');
    const held = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query Room(')) await held.promise;
      await route.fallback();
    });
    const listed = page.waitForResponse(
      (answer) => answer.request().postData()?.includes('query RoomMessages') === true,
    );
    await page.goto(`/rooms/${id}`);
    await listed;
    await call(page, 'POST', `/rooms/${id}/messages`, { content: 'Between' });
    held.resolve();
    await thread(page).getByText('Between', { exact: true }).waitFor();
  });

  test('a reopened room shows a message that was missed before an own message', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const guest = await app.visitSignedIn('/robots.txt');
    const { id } = await call(page, 'POST', '/rooms', { name: 'Kitchen' });
    const { token } = await call(page, 'POST', `/rooms/${id}/invitations`, {});
    await call(guest, 'POST', '/rooms/join', { token });
    const network = await cuttableSockets(page, '/v1/socket');
    await page.goto(`/rooms/${id}`);
    await call(guest, 'POST', `/rooms/${id}/messages`, { content: 'One' });
    await thread(page).getByText('One', { exact: true }).waitFor();
    await network.cut();
    await call(guest, 'POST', `/rooms/${id}/messages`, { content: 'Two' });
    await write(page, 'Three');
    await thread(page).getByText('Three', { exact: true }).waitFor();
    await expect.poll(() => thread(page).locator('[aria-busy=true]').count()).toBe(0);
    await go(page, '/agents');
    network.heal();
    await go(page, `/rooms/${id}`);
    await thread(page).getByText('Two', { exact: true }).waitFor();
  });

  test('saving one setting keeps what another moderator changed meanwhile', async () => {
    const { page, id } = await openRoom();
    await go(page, `/rooms/${id}/settings`);
    const form = page.getByRole('region', { name: 'How it works' });
    await form.getByRole('textbox').last().fill('A new scene.');
    await call(page, 'PUT', `/rooms/${id}`, { name: 'Living room' });
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').first().waitFor();
    expect(await call(page, 'GET', `/rooms/${id}`)).toMatchObject({ name: 'Living room', scene: 'A new scene.' });
  });
});

describe('in a conversation', () => {
  test('a reply is stopped although the answer to an earlier stop was lost', async () => {
    const page = await openOwnChat(app);
    await loseAnswer(page, 'StopGeneration');
    for (const n of [1, 2]) {
      reply(app, 'word '.repeat(600), 40);
      await ask(page, `Q: long ${n}`);
      await lastReply(page).getByText('word').waitFor();
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
      await finished(page);
    }
  });

  test('a message that is removed while the session is renewed is not sent', async () => {
    const page = await openOwnChat(app);
    await page.context().setOffline(true);
    await ask(page, 'Q: taken back');
    await page.getByText('Waiting for the network').waitFor();
    const gate = Promise.withResolvers<void>();
    const renewing = Promise.withResolvers<void>();
    await page.route('**/session/refresh', async (route) => {
      renewing.resolve();
      await gate.promise;
      return route.fallback();
    });
    await page.evaluate(`{ const now = Date.now; Date.now = () => now() + 3_600_000; }`);
    await page.context().setOffline(false);
    await renewing.promise;
    await page.getByRole('button', { name: 'Remove the message' }).click();
    await expect.poll(() => composer(page).inputValue()).toBe('Q: taken back');
    gate.resolve();
    reply(app, 'Received.');
    await ask(page, 'Q: another');
    await thread(page).getByText('Received.').waitFor();
    const contents = async () => (await storedMessages(app, page)).map(({ content }) => content).toSorted();
    // A reply is shown before it is stored.
    await expect.poll(contents).toEqual(['Hello!', 'Q: another', 'Received.']);
    app.expectNoFaults(/WebSocket|ERR_INTERNET_DISCONNECTED/);
  });

  test('a message is sent although the storage of the browser is full', async () => {
    const page = await openOwnChat(app);
    await page.evaluate(`{
      for (let size = 1_000_000; size >= 1; size = Math.floor(size / 2))
        try {
          for (let n = 0; ; n++) localStorage.setItem('other-' + size + '-' + n, 'x'.repeat(size));
        } catch {}
    }`);
    reply(app, 'Received.');
    await ask(page, 'Q: full');
    await thread(page).getByText('Received.').waitFor();
    expect(await composer(page).inputValue()).toBe('');
  });
});

test('a preview that is stopped can be continued', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  const agent = await app.createAgent(page.token, { name: 'Ada', instructions: 'You are a tutor.' });
  await go(page, `/agents/${agent.id}/edit`);
  const preview = page.getByRole('region', { name: 'Preview' });
  const say = async (text: string): Promise<void> => {
    await preview.getByRole('textbox', { name: 'Message' }).fill(text);
    await preview.getByRole('button', { name: 'Send' }).click();
  };
  reply(app, 'word '.repeat(400), 5);
  await say('Q: long');
  await preview.getByText('word word').last().waitFor();
  await preview.getByRole('button', { name: 'Stop' }).click();
  await preview.getByRole('button', { name: 'Send' }).waitFor();
  reply(app, 'Received.');
  await say('Q: short');
  await preview.getByRole('article').getByText('Received.').waitFor();
  expect(await preview.getByRole('article').count()).toBe(4);
});

test('an upload that failed is not offered for another agent', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  const [first, second] = [await app.createAgent(page.token), await app.createAgent(page.token, { name: 'Bo' })];
  await go(page, `/agents/${first.id}/knowledge`);
  await page.route('**/documents', (route) => route.abort('connectionreset'));
  const file = { name: 'secret.txt', mimeType: 'text/plain', buffer: Buffer.from('For the first only.') };
  await page.getByLabel('Files').setInputFiles(file);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await go(page, `/agents/${second.id}/knowledge`);
  await page.getByText('No documents yet').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});

test('a renewal of the session that is answered after the sign-out does not sign in again', async () => {
  const page = await openOwnChat(app);
  const gate = Promise.withResolvers<void>();
  const renewing = Promise.withResolvers<void>();
  const renewed = Promise.withResolvers<void>();
  await page.route('**/session/refresh', async (route) => {
    const response = await route.fetch();
    renewing.resolve();
    await gate.promise;
    await route.fulfill({ response }).catch(() => undefined);
    renewed.resolve();
  });
  // Old enough to be renewed in the background.
  await page.evaluate(`{ const now = Date.now; Date.now = () => now() + 3_000_000; }`);
  await page.getByRole('button', { name: 'Conversation menu' }).click();
  await page.getByRole('menuitem', { name: 'Pin' }).click();

  await renewing.promise;

  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Create an account' }).first().waitFor();

  gate.resolve();
  await renewed.promise;

  await go(page, '/chat');
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  expect(await page.evaluate(`localStorage.getItem('account')`)).toBe(null);
});
