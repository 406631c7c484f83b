import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { builtCode, loadPage, totalSize } from '../../support/page-load.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

describe('scripts and styles, compressed', () => {
  test.each([
    ['/', 'Create an account'],
    ['/sign-in', 'Create an account'],
    ['/sign-up', 'Sign in'],
  ])('of %s are at most 105 kB', async (path, link) => {
    const page = await app.visit('/robots.txt');
    const { code } = await loadPage(page, path, page.getByRole('link', { name: link }).first());
    expect(totalSize(code)).toBeLessThanOrEqual(105);
  });

  test('of a conversation are at most 200 kB in 9 files', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createConversation(page.token, { name: 'Ada', instructions: 'You are a tutor.' });
    const composer = page.getByRole('textbox', { name: 'Message', exact: true });
    const { code, calls } = await loadPage(page, `/chat/${id}`, composer);
    expect(totalSize(code)).toBeLessThanOrEqual(200);
    expect(code.size).toBeLessThanOrEqual(9);
    expect(calls).toBeLessThanOrEqual(2);
  });

  test('of a conversation are all named by its page, so that none waits for another', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createConversation(page.token, { name: 'Ada', greeting_message: 'Hello!' });
    const source = await (await app.send('GET', `/chat/${id}`, { headers: { accept: 'text/html' } })).text();
    const { code } = await loadPage(page, `/chat/${id}`, page.getByText('Hello!'));
    expect([...code].filter((path) => !source.includes(path))).toEqual([]);
  });

  test.each([
    ['a conversation', 'chat', ['OpenConversation']],
    ['a room', 'rooms', ['Me', 'Room', 'RoomMessages']],
  ])('of %s load while its messages are requested, each once', async (_what, screen, operations) => {
    const page = await app.visitSignedIn('/robots.txt');
    const as = page.token;
    const { id } = await app.createConversation(as, { name: 'Kitchen' });
    const { body: room } = await app.call('POST', '/v1/rooms', { as, body: { name: 'Kitchen' } });
    const sent: string[] = [];
    page.on('request', (request) => {
      const [, operation = ''] = /query (\w+)/.exec(request.postData() ?? '') ?? [];
      if (/^(OpenConversation|Me|Conversation|Messages|Room|RoomMessages)$/.test(operation)) sent.push(operation);
      if (request.url().endsWith('/session/refresh')) sent.push('refresh');
    });
    const all = [...operations, 'refresh'].toSorted();
    await page.route(/\/assets\/start-.*\.js$/, async (route) => {
      await eventually(() => sent.length === all.length, { what: 'requests before the scripts' });
      await route.continue();
    });
    await page.goto(`/${screen}/${screen === 'rooms' ? room.id : id}`);
    await page.getByRole('textbox', { name: /^(Message|Write)/ }).waitFor();
    expect(sent.toSorted()).toEqual(all);
  });

  test('of everything are at most 600 kB', () => {
    expect(totalSize(builtCode(/./))).toBeLessThanOrEqual(600);
  });
});

test('a person can write in a conversation after at most 12 requests', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  const { id } = await app.createConversation(page.token, { name: 'Ada', instructions: 'You are a tutor.' });
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const { requests } = await loadPage(page, `/chat/${id}`, composer);
  expect(requests.length <= 12 ? [] : requests).toEqual([]);
  // What the page around it shows follows.
  await page.getByRole('meter').waitFor();
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('listitem').first().waitFor();
});
