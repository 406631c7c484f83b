import type { Page, WebSocket } from 'playwright-core';
import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../support/browser.ts';
import { composer, followed, tutor } from '../support/chat-page.ts';
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

/** Counts the open sockets of a page. */
function countSockets(page: Page): () => number {
  const open = new Set<WebSocket>();
  page.on('websocket', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  return () => open.size;
}

test('seven tabs load, share one socket, and another tab takes it over', async () => {
  const first = await app.visitSignedIn('/robots.txt');
  const conversation = await app.createConversation(first.token, tutor);
  const tabs: Page[] = [first];
  for (let more = 0; more < 6; more++) tabs.push(await first.context().newPage());
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
