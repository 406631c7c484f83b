import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { composer, followed, tutor } from '../../support/chat-page.ts';
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

const conversationLinks = (page: Page) => page.getByRole('navigation', { name: 'Conversations' }).getByRole('link');

describe('live updates', () => {
  test('what another client creates, sends and deletes is shown without a reload', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const first = await app.createConversation(page.token, tutor);
    await page.goto(`/chat/${first.id}`);
    await composer(page).waitFor();
    await eventually(async () => (await conversationLinks(page).count()) === 1);
    const second = await followed(app, page, page.token);

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
    const { agent_id: agentId } = await app.createConversation(page.token, tutor);
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
    await eventually(() => operations.includes('Rooms'));
    await app.createAgent(page.token, tutor);
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    // What an agent does not change.
    const once = operations.filter((operation) => ['Rooms', 'Service', 'MyPreferences'].includes(operation));
    expect(once.toSorted()).toEqual(['MyPreferences', 'Rooms', 'Service']);
  });

  test('an agent that another client changes or deletes is shown as it is', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createAgent(page.token, tutor);
    await page.goto('/agents');
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    const body = { ...tutor, name: 'Bo', is_public: true };
    await app.call('PUT', `/v1/agents/${id}`, { as: page.token, body });
    await page.getByRole('link', { name: 'Bo' }).waitFor();
    await page.getByText('Public', { exact: true }).waitFor();
    await app.call('DELETE', `/v1/agents/${id}`, { as: page.token });
    await page.getByText('Create your first agent').waitFor();
  });

  test('arrive over an event stream where the network blocks sockets', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await page.routeWebSocket('**/graphql', (socket) => socket.close());
    const first = await app.createConversation(page.token, tutor);
    const isFollowing = page.waitForResponse((response) => response.url().endsWith('/graphql/stream'));
    await page.goto(`/chat/${first.id}`);
    await composer(page).waitFor();
    await isFollowing;
    await followed(app, page, page.token);
  });
});
