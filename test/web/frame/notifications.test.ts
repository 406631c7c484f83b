import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, go, type SignedInPage, shareConsole } from '../../support/browser.ts';
import { ask, finished, lastReply, openOwnChat, reply } from '../../support/chat-page.ts';
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

/** Simulates the Notification API with a given permission and records notifications; headless browsers show none. */
const keepNotifications = (answer: 'granted' | 'denied') => `
  globalThis.kept = [];
  globalThis.Notification = class extends EventTarget {
    static permission = 'default';
    static async requestPermission() {
      return (this.permission = '${answer}');
    }
    constructor(title, options) {
      super();
      kept.push(Object.assign(this, { title, options, isClosed: false }));
    }
    close() {
      this.isClosed = true;
    }
  };`;

const hide = (page: SignedInPage, isHidden: boolean): Promise<unknown> =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} })`);
const kept = (page: SignedInPage): Promise<unknown> =>
  page.evaluate('kept.map(({ title, options, isClosed }) => ({ title, options, isClosed }))');
const storedReplies = async (page: SignedInPage, id: string): Promise<number> => {
  const { body } = await app.call('GET', `/v1/conversations/${id}/messages`, { as: page.token });
  return (body.data as { role: string }[]).filter(({ role }) => role === 'assistant').length;
};

test('a reply that is completed while the tab is hidden shows a notification without its text, which opens it', async () => {
  const page = await openOwnChat(app);
  await page.evaluate(keepNotifications('granted'));
  await go(page, '/settings/preferences');
  const notifications = page.getByRole('switch', { name: 'Notifications' });
  expect(await notifications.isChecked()).toBe(false);
  await notifications.check();

  await go(page, `/chat/${page.id}`);
  reply(app, 'Seen at once.');
  await ask(page, 'Q: one');
  await lastReply(page).getByText('Seen at once.').waitFor();
  await finished(page);
  await hide(page, true);
  reply(app, 'A secret of two words.');
  await ask(page, 'Q: two');
  await go(page, '/agents');
  await expect
    .poll(() => kept(page))
    .toEqual([{ title: 'Ada has replied.', options: { tag: page.id }, isClosed: false }]);
  await hide(page, false);
  await page.evaluate('kept[0].dispatchEvent(new Event("click"))');
  await page.waitForURL(`**/chat/${page.id}`);
  await lastReply(page).getByText('A secret of two words.').waitFor();
  expect(await page.evaluate('kept[0].isClosed')).toBe(true);
});

test('notifications stay off, with the reason, where the browser blocks them', async () => {
  const page = await openOwnChat(app);
  await page.evaluate(keepNotifications('denied'));
  await go(page, '/settings/preferences');
  const notifications = page.getByRole('switch', { name: 'Notifications' });
  await notifications.click();
  await page.getByText('The browser blocks notifications from this site.').waitFor();
  expect(await notifications.isChecked()).toBe(false);

  await go(page, `/chat/${page.id}`);
  await hide(page, true);
  reply(app, 'Unnoticed.');
  await ask(page, 'Q: three');
  await eventually(async () => (await storedReplies(page, page.id)) > 1);
  await finished(page);
  await hide(page, false);
  await lastReply(page).getByText('Unnoticed.').waitFor();
  expect(await kept(page)).toEqual([]);
});
