import type { Locator, Page, WebSocket } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => {
  app.expectNoFaults();
  app.model.reset();
});
afterAll(() => app.close());

const agent = { name: 'Ada', instructions: 'You are a tutor.', greeting_message: 'Hello!' };
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const conversationLinks = (page: Page) => page.getByRole('navigation', { name: 'Conversations' }).getByRole('link');

/** Creates a conversation, waits until the page lists it without a reload, and returns its link and id. */
async function followed(page: Page, token: string): Promise<{ id: string; link: Locator }> {
  const { body } = await app.call('GET', '/v1/agents', { as: token });
  const created = await app.call('POST', '/v1/conversations', { as: token, body: { agent_id: body.data[0].id } });
  const { id } = created.body;
  const link = page.getByRole('navigation', { name: 'Conversations' }).locator(`a[href$="${id}"]`);
  await link.waitFor();
  return { id, link };
}

/** Counts the open sockets of a page. */
function countSockets(page: Page): () => number {
  const open = new Set<WebSocket>();
  page.on('websocket', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  return () => open.size;
}

describe('live updates', () => {
  test('what another client creates, sends and deletes is shown without a reload', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const first = await app.createConversation(page.token, agent);
    await page.goto(`/chat/${first.id}`);
    await composer(page).waitFor();
    await eventually(async () => (await conversationLinks(page).count()) === 1);
    const second = await followed(page, page.token);

    app.model.script({ deltas: ['From elsewhere.'], when: 'Q:' });
    const body = { content: 'Q: from another device' };
    await app.call('POST', `/v1/conversations/${first.id}/messages`, { as: page.token, body });
    await page.getByText('Q: from another device').waitFor();
    // The live region for screen readers contains the text too.
    await page.getByRole('log').getByText('From elsewhere.').waitFor();
    expect(await page.getByText('Q: from another device').count()).toBe(1);

    await app.call('DELETE', `/v1/conversations/${second.id}`, { as: page.token });
    await second.link.waitFor({ state: 'detached' });
  });

  test('what happens after a list was read and before the socket is open is shown', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { agent_id: agentId } = await app.createConversation(page.token, agent);
    const created = Promise.withResolvers<void>();
    await page.routeWebSocket('**/graphql', async (socket) => {
      await created.promise;
      socket.connectToServer();
    });
    await page.goto('/agents');
    await eventually(async () => (await conversationLinks(page).count()) === 1);
    await app.call('POST', '/v1/conversations', { as: page.token, body: { agent_id: agentId } });
    created.resolve();
    await eventually(async () => (await conversationLinks(page).count()) === 2);
  });

  test('a new account, which has no events, is read once', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const operations: string[] = [];
    page.on('requestfinished', (request) => {
      const [, operation] = /query (\w+)/.exec(request.postData() ?? '') ?? [];
      if (operation) operations.push(operation);
    });
    await page.goto('/agents');
    // Once the connection is open, only the account is read again.
    await eventually(() => operations.filter((operation) => operation === 'Me').length >= 2);
    await app.createAgent(page.token, agent);
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    // What an agent does not change.
    const once = operations.filter((operation) => ['Rooms', 'Service', 'MyPreferences'].includes(operation));
    expect(once.toSorted()).toEqual(['MyPreferences', 'Rooms', 'Service']);
  });

  test('an agent that another client changes or deletes is shown as it is', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createAgent(page.token, agent);
    await page.goto('/agents');
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    const body = { ...agent, name: 'Bo', is_public: true };
    await app.call('PUT', `/v1/agents/${id}`, { as: page.token, body });
    await page.getByRole('link', { name: 'Bo' }).waitFor();
    await page.getByText('Public', { exact: true }).waitFor();
    await app.call('DELETE', `/v1/agents/${id}`, { as: page.token });
    await page.getByText('Create your first agent').waitFor();
  });

  test('seven tabs load, share one socket, and another tab takes it over', async () => {
    const first = await app.visitSignedIn('/robots.txt');
    const conversation = await app.createConversation(first.token, agent);
    const tabs: Page[] = [first];
    for (let more = 0; more < 6; more++) tabs.push(await first.context().newPage());
    const counts = tabs.map(countSockets);
    for (const tab of tabs) {
      await tab.goto(`/chat/${conversation.id}`);
      await composer(tab).waitFor();
    }
    const openSockets = () => counts.map((count) => count());
    await eventually(() => openSockets().reduce((sum, open) => sum + open, 0) === 1);
    for (const tab of tabs) await followed(tab, first.token);

    const leader = tabs[openSockets().indexOf(1)];
    await leader?.close();
    for (const tab of tabs) if (tab !== leader) await followed(tab, first.token);
  });

  test('arrive over an event stream where the network blocks sockets', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await page.routeWebSocket('**/graphql', (socket) => socket.close());
    const first = await app.createConversation(page.token, agent);
    const isFollowing = page.waitForResponse((response) => response.url().endsWith('/graphql/stream'));
    await page.goto(`/chat/${first.id}`);
    await composer(page).waitFor();
    await isFollowing;
    await followed(page, page.token);
  });
});
