import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import {
  ask,
  composer,
  finished,
  lastReply,
  openChat,
  openUncreatedChat,
  openOwnChat,
  reply,
  storedMessages,
} from '../../support/chat-page.ts';
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

describe('a conversation on a network that fails', () => {
  test('messages to a new chat wait in order, survive a reload and start one conversation', async () => {
    const page = await openUncreatedChat(app);
    await ask(page, 'Q: one of three');
    await page.getByText('Waiting for the network').waitFor();
    await ask(page, 'Q: two of three');
    await ask(page, 'Q: three of three');
    const sent = page.getByRole('article', { name: 'You' });
    await expect.poll(() => sent.count()).toBe(3);
    await page.reload();
    await page.getByText('Waiting for the network').waitFor();
    expect(await sent.count()).toBe(3);
    await sent.filter({ hasText: 'Q: two' }).getByRole('button', { name: 'Remove the message' }).click();
    await expect.poll(() => composer(page).inputValue()).toBe('Q: two of three');
    await composer(page).fill('');
    app.model.script({ deltas: ['Received.'], when: 'Q:', times: 2 });
    await page.unrouteAll();
    await page.waitForURL(/\/chat\/con/);
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await eventually(async () => (await storedMessages(app, Object.assign(page, { id }))).length === 5);
    const { rows } = await app.db.query(
      `select content from messages where content like 'Q: % of three' order by created_at`,
    );
    expect(rows.map(({ content }) => content)).toEqual(['Q: one of three', 'Q: three of three']);
    await finished(page);
  });

  /** Leaves a new chat for a screen that loads slowly, after its first message. Returns what is still to happen. */
  async function leaveNewChat(question: string, answer: string) {
    // A page of its own, which has not loaded that screen before.
    const page = await openOwnChat(app);
    const { body } = await app.call('GET', `/v1/conversations/${page.id}`, { as: page.token });
    await go(page, `/chat?agent=${body.agent_id}`);
    await page.getByText('Hello!').waitFor();
    const left = Promise.withResolvers<void>();
    const loaded = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation CreateConversation')) await left.promise;
      await route.fallback();
    });
    await page.route('**/assets/agents-page-*.js', async (route) => {
      await loaded.promise;
      await route.fallback();
    });
    reply(app, answer);
    await ask(page, question);
    await page.getByRole('article', { name: 'You' }).waitFor();
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.waitForURL(/\/agents$/);
    return {
      page,
      loadScreen: loaded.resolve,
      createConversation: async () => {
        left.resolve();
        const stored = 'select 1 from messages where content = $1';
        await eventually(async () => (await app.db.query(stored, [answer])).rowCount === 1);
      },
    };
  }

  test('the first message of a new chat is sent also when the page is left, and does not bring the person back', async () => {
    const { page, createConversation, loadScreen } = await leaveNewChat('Q: left behind', 'Without you.');
    await createConversation();
    loadScreen();
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/agents');
    await page.getByRole('link', { name: 'Chat', exact: true }).click();
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    expect(await page.getByRole('article', { name: 'You' }).count()).toBe(0);
    await page.unrouteAll();
  });

  test('a new chat shows its conversation to a person who returns before the next screen was loaded', async () => {
    const { page, createConversation, loadScreen } = await leaveNewChat('Q: on second thought', 'Welcome back.');
    await createConversation();
    await page.goBack();
    await lastReply(page).getByText('Welcome back.').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/chat\/conv_/);
    loadScreen();
    await page.unrouteAll();
  });

  test('messages that wait are sent after a reload on any screen, and leave the person there', async () => {
    const page = await openUncreatedChat(app);
    await page.route('**/graphql/stream', (route) => route.abort('internetdisconnected'));
    await ask(page, 'Q: waits in a new chat');
    await page.getByText('Waiting for the network').waitFor();
    await go(page, `/chat/${page.id}`);
    await ask(page, 'Q: waits in an old one');
    await page.getByText('Waiting for the network').waitFor();
    await go(page, '/agents');
    await page.unrouteAll();
    await page.reload();
    const stored = `select content from messages where role = 'user' and content like 'Q: waits in %' order by content`;
    await eventually(async () => (await app.db.query(stored)).rowCount === 2);
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/agents');
  });

  test('a message to a conversation that was deleted without notice stays in reach', async () => {
    const page = await openChat(app);
    const refusal = { code: 'NOT_FOUND', message: 'The resource does not exist.' };
    await page.route('**/graphql/stream', (route) =>
      route.request().postData()?.includes('messageStream')
        ? route.fulfill({ status: 404, json: { error: refusal } })
        : route.fallback(),
    );
    await page.route('**/graphql', (route) =>
      /query Conversation\b/.test(route.request().postData() ?? '')
        ? route.fulfill({ json: { errors: [{ message: refusal.message, extensions: { code: refusal.code } }] } })
        : route.fallback(),
    );
    await ask(page, 'Q: too late');
    await page.getByRole('heading', { name: 'This conversation was deleted' }).waitFor();
    await page.getByRole('list', { name: 'Unsent messages' }).getByText('Q: too late').waitFor();
    await page.unrouteAll();
  });

  test('a message that meets the reply to another client waits for its end, and is sent then', async () => {
    const page = await openChat(app);
    await page.context().setOffline(true);
    await ask(page, 'Q: mine');
    await page.getByText('Waiting for the network').waitFor();
    const written = Promise.withResolvers<void>();
    app.model.script({ deltas: ['To the other.'], when: 'Q: other', gate: written.promise });
    const body = { content: 'Q: other' };
    const other = app.call('POST', `/v1/conversations/${page.id}/messages`, { as: page.token, body });
    await eventually(() => app.model.requests.some(({ body: asked }) => JSON.stringify(asked).includes('Q: other')));
    await page.context().setOffline(false);
    await page.getByRole('list', { name: 'Queued messages' }).getByText('Q: mine').waitFor();
    app.model.script({ deltas: ['To mine.'], when: 'Q: mine' });
    written.resolve();
    await other;
    await lastReply(page).getByText('To mine.').waitFor();
    await page.getByRole('log').getByText('To the other.').waitFor();
    await finished(page);
    const sent = (await storedMessages(app, page)).map(({ content }) => content);
    expect(sent.toReversed()).toEqual(['Hello!', 'Q: other', 'To the other.', 'Q: mine', 'To mine.']);
    await page.getByRole('list', { name: 'Queued messages' }).waitFor({ state: 'detached' });
  });

  test('a fourth message waits for one of three replies, and can be removed meanwhile', async () => {
    const written = Promise.withResolvers<void>();
    app.model.script({ deltas: ['Written.'], when: 'Q: long', gate: written.promise, times: 3 });
    for (const n of [1, 2, 3]) {
      const page = await openChat(app);
      await ask(page, `Q: long ${n}`);
      const isAsked = ({ body }: { body: unknown }) => JSON.stringify(body).includes(`Q: long ${n}`);
      await eventually(() => app.model.requests.some(isAsked));
    }
    const page = await openChat(app);
    await ask(page, 'Q: taken back');
    await page.getByText('Waiting until another reply is complete').waitFor();
    expect(await page.locator('[aria-busy=true]').count()).toBe(0);
    expect(await page.locator('[data-announcer]').innerText()).toBe('');
    await page.getByRole('button', { name: 'Remove the message' }).click();
    await expect.poll(() => composer(page).inputValue()).toBe('Q: taken back');
    await ask(page, 'Q: sent');
    await page.getByText('Waiting until another reply is complete').waitFor();
    reply(app, 'To the fourth.');
    written.resolve();
    await lastReply(page).getByText('To the fourth.').waitFor();
    await finished(page);
    const sent = (await storedMessages(app, page)).map(({ content }) => content);
    expect(sent.toReversed()).toEqual(['Hello!', 'Q: sent', 'To the fourth.']);
  });

  test('a reply is stopped although the service had not accepted its message at "Stop"', async () => {
    const page = await openChat(app);
    const gate = Promise.withResolvers<void>();
    await page.route('**/graphql/stream', async (route) => {
      await gate.promise;
      return route.fallback();
    });
    app.model.script({ deltas: ['One ', 'two '], when: 'Q:', fault: { kind: 'hang', after: 2 } });
    await ask(page, 'Q: stop');
    const refused = page.waitForResponse((response) =>
      Boolean(response.request().postData()?.includes('StopGeneration')),
    );
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    expect(await (await refused).json()).toEqual({ data: { stopGeneration: { stopped: false } } });
    gate.resolve();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.unrouteAll();
  });

  test('an edit made offline waits, survives a reload and makes one version', async () => {
    const page = await openChat(app);
    reply(app, 'To the first.');
    await ask(page, 'Q: first version');
    await finished(page);
    await page.context().setOffline(true);
    // It can be changed once the reply is stored.
    await page.getByRole('button', { name: 'Regenerate' }).click({ trial: true });
    await composer(page).press('ArrowUp');
    await page.getByRole('textbox', { name: 'Edit the message' }).fill('Q: second version');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Waiting for the network').waitFor();
    expect(await page.getByText('Q: first version').count()).toBe(0);
    reply(app, 'To the second.');
    await page.context().setOffline(false);
    await page.reload();
    await lastReply(page).getByText('To the second.').waitFor();
    await page.getByRole('group', { name: 'Message actions' }).getByText('2 / 2').waitFor();
    expect(await page.getByText('To the first.').count()).toBe(0);
    const sent = (await storedMessages(app, page)).map(({ content }) => content);
    expect(sent.toReversed()).toEqual(['Hello!', 'Q: second version', 'To the second.']);
  });
});
