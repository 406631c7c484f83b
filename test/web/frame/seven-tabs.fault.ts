import type { Page, Request, WebSocket } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
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

/** Counts the open sockets of a page. */
function countSockets(page: Page): () => number {
  const open = new Set<WebSocket>();
  page.on('websocket', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  return () => open.size;
}

/** Counts the open streams of a page. */
function countStreams(page: Page): () => number {
  const open = new Set<Request>();
  page.on('request', (request) => request.url().endsWith('/graphql/stream') && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return () => open.size;
}

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);

async function openTabs(first: Page, count: number): Promise<Page[]> {
  const tabs = [first];
  while (tabs.length < count) tabs.push(await first.context().newPage());
  return tabs;
}

test('seven tabs load, share one socket, and another tab takes it over', async () => {
  const first = await app.visitSignedIn('/robots.txt');
  const conversation = await app.createConversation(first.token, tutor);
  const tabs = await openTabs(first, 7);
  const counts = tabs.map(countSockets);
  for (const tab of tabs) {
    await tab.goto(`/chat/${conversation.id}`);
    await composer(tab).waitFor();
  }
  const openSockets = () => counts.map((count) => count());
  await eventually(() => openSockets().reduce((sum, open) => sum + open, 0) === 1);
  for (const tab of tabs) await followed(app, tab, first.token);

  const leader = tabs[openSockets().indexOf(1)];
  await leader?.close();
  for (const tab of tabs) if (tab !== leader) await followed(app, tab, first.token);
});

test('seven tabs with events and deliveries load, show new ones over one stream, and a hidden tab leaves it to another', async () => {
  const first = await app.visitSignedIn('/robots.txt');
  const body = { url: 'https://hooks.invalid/', events: ['agent.created'] };
  const { body: webhook } = await app.call('POST', '/v1/webhooks', { as: first.token, body });
  const tabs = await openTabs(first, 7);
  const counts = tabs.map(countStreams);
  const openStreams = () => counts.map((count) => count());
  for (const [index, tab] of tabs.entries()) {
    await tab.goto(index < 2 ? '/events' : `/webhooks/${webhook.id}`);
    await tab.getByRole('heading', { level: 1 }).waitFor();
    await tab.mouse.move(0, 0);
  }
  const shown = (count: number) =>
    eventually(async () => {
      const counted = await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'agent.created' }).count()));
      return counted.every((one) => one === count);
    });
  await app.createAgent(first.token);
  await shown(1);
  await expect.poll(() => openStreams().toSorted()).toEqual([0, 0, 0, 0, 0, 0, 1]);

  const leader = openStreams().indexOf(1);
  const hidden = tabs[leader] as Page;
  await setHidden(hidden, true);
  await eventually(() => openStreams()[leader] === 0 && openStreams().includes(1));
  await app.createAgent(first.token);
  for (const tab of tabs) if (tab !== hidden) await tab.getByRole('button', { name: 'agent.created' }).nth(1).waitFor();
  await setHidden(hidden, false);
  await shown(2);
});
