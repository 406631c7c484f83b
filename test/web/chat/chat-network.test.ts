import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import {
  ask,
  composer,
  finished,
  lastReply,
  lastText,
  openChat,
  openUncreatedChat,
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
  test('a reload in the middle of a reply resumes it', async () => {
    const page = await openChat(app);
    reply(app, 'one '.repeat(120), 20);
    await ask(page, 'Q: reload');
    await lastReply(page).getByText('one').waitFor();
    await page.reload();
    await lastReply(page).getByText('one').waitFor();
    await finished(page);
    await expect.poll(async () => (await lastText(page)).match(/one/g)?.length).toBe(120);
    expect((await storedMessages(app, page)).filter(({ role }) => role === 'user').length).toBe(1);
  });

  test('a reply continues after a network loss without a gap or a repetition', async () => {
    const page = await openChat(app);
    const text = Array.from({ length: 150 }, (_, i) => `w${i} `).join('');
    reply(app, text, 15);
    await ask(page, 'Q: drop');
    await lastReply(page).getByText('w1').first().waitFor();
    await page.context().setOffline(true);
    await page.getByText('Offline. Your messages are stored').waitFor();
    await page.context().setOffline(false);
    await finished(page);
    await expect.poll(async () => (await lastText(page)).match(/w\d+/g)).toEqual(text.match(/w\d+/g));
  });

  test('the first message of a new chat waits for the network, survives a reload and is sent once', async () => {
    const page = await openUncreatedChat(app);
    await ask(page, 'Q: first of all');
    await page.getByText('Waiting for the network').waitFor();
    await page.getByRole('button', { name: 'Remove the message' }).click();
    await expect.poll(() => composer(page).inputValue()).toBe('Q: first of all');
    await ask(page, 'Q: first of all');
    await page.getByText('Waiting for the network').waitFor();
    await page.reload();
    await page.getByText('Waiting for the network').waitFor();
    app.model.script({ deltas: ['Welcome.'], when: 'Q: first of all' });
    await page.unrouteAll();
    await lastReply(page).getByText('Welcome.').waitFor();
    await finished(page);
    const { rows } = await app.db.query(`select 1 from messages where content = 'Q: first of all'`);
    expect(rows).toHaveLength(1);
  });

  test('a message sent offline waits, survives a reload and is sent once', async () => {
    const page = await openChat(app);
    await page.context().setOffline(true);
    await ask(page, 'Q: from the tunnel');
    await page.getByText('Waiting for the network').waitFor();
    reply(app, 'Welcome back.');
    await page.context().setOffline(false);
    await page.reload();
    await lastReply(page).getByText('Welcome back.').waitFor();
    await finished(page);
    const sent = (await storedMessages(app, page)).filter(({ content }) => content === 'Q: from the tunnel');
    expect(sent.length).toBe(1);
  });

  test('a conversation deleted elsewhere says so at once, and what was not sent stays in reach', async () => {
    const page = await openChat(app);
    const remove = () => app.call('DELETE', `/v1/conversations/${page.id}`, { as: page.token });
    const unsent = page.getByRole('list', { name: 'Unsent messages' }).getByRole('listitem');
    const deleted = page.getByRole('heading', { name: 'This conversation was deleted' });
    await composer(page).fill('Half a thought');
    await remove();
    await deleted.waitFor();
    await unsent.getByText('Half a thought').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'New chat' }).click();
    await page.waitForURL(/\/chat\?agent=/);
    await composer(page).waitFor();
    await openChat(app);
    await page.context().setOffline(true);
    await ask(page, 'Q: never accepted');
    await page.getByText('Waiting for the network').waitFor();
    await remove();
    await page.context().setOffline(false);
    await deleted.waitFor();
    await unsent.getByText('Q: never accepted').waitFor();
    await unsent.getByRole('button', { name: 'Copy' }).waitFor();
  });

  test('messages sent offline wait in order; one that waits can be edited or removed', async () => {
    const page = await openChat(app);
    await page.context().setOffline(true);
    await ask(page, 'Q: first');
    await page.getByText('Waiting for the network').waitFor();
    for (const text of ['Q: second', 'Q: third', 'Q: fourth']) await ask(page, text);
    const queue = page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    await queue.filter({ hasText: 'Q: third' }).getByRole('button', { name: 'Remove' }).click();
    await queue.filter({ hasText: 'Q: second' }).getByRole('button', { name: 'Edit' }).click();
    await expect.poll(() => composer(page).inputValue()).toBe('Q: second');
    app.model.script({ deltas: ['Received.'], when: 'Q:', times: 2 });
    await page.context().setOffline(false);
    await eventually(async () => (await storedMessages(app, page)).length === 5);
    const sent = (await storedMessages(app, page)).filter(({ role }) => role === 'user').map(({ content }) => content);
    expect(sent.toReversed()).toEqual(['Q: first', 'Q: fourth']);
    await queue.first().waitFor({ state: 'detached' });
  });
});
