import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { ask, composer, lastReply, openChat, openOwnChat, reply } from '../../support/chat-page.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => {
  app.expectNoFaults();
  app.model.reset();
});
afterAll(() => app.close());

describe('the composer', () => {
  test('keeps a draft for each conversation through a reload', async () => {
    const page = await openChat(app);
    await composer(page).fill('half a thought');
    await page.reload();
    expect(await composer(page).inputValue()).toBe('half a thought');
    await page.goto('/chat');
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    expect(await composer(page).inputValue()).toBe('');
  });

  test('sends nothing while an input method composes, and Shift+Enter makes a line', async () => {
    const page = await openChat(app);
    await composer(page).fill('にほん');
    for (const init of ['isComposing: true', 'keyCode: 229']) {
      const sent = await page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ${init} }))`,
      );
      // The page does not handle the key during a composition.
      expect(sent).toBe(true);
    }
    await composer(page).press('Shift+Enter');
    await expect.poll(() => composer(page).inputValue()).toBe('にほん\n');
    expect(await page.locator('article[aria-label="You"]').count()).toBe(0);
    await composer(page).fill('a'.repeat(30_001));
    await page.getByText('30,001 of 32,000 characters').waitFor();
    await composer(page).fill('a'.repeat(32_001));
    await page.getByText('32,001 of 32,000 characters').waitFor();
    await composer(page).press('Control+Enter');
    expect(await composer(page).inputValue()).toHaveLength(32_001);
    await composer(page).fill('');
    await page.getByText('of 32,000 characters').waitFor({ state: 'detached' });
  });

  test('takes the text of dropped files, and says which it does not take', async () => {
    const page = await openChat(app);
    await composer(page).fill('Read this:');
    const isCancelled = await page.evaluate(`(() => {
      // A folder is a file that cannot be read.
      const text = File.prototype.text;
      File.prototype.text = function () {
        return this.name === 'e.md' ? Promise.reject(new DOMException('', 'NotFoundError')) : text.call(this);
      };
      const dataTransfer = new DataTransfer();
      for (const [name, text] of [['a.txt', 'First.'], ['b.md', 'Second.'], ['c.png', 'PNG'], ['d.txt', 'd'.repeat(200_001)], ['e.md', '']])
        dataTransfer.items.add(new File([text], name));
      return ['dragover', 'drop'].map((type) => !document.activeElement.dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })));
    })()`);
    // The browser opens a file whose events are not cancelled.
    expect(isCancelled).toEqual([true, true]);
    await expect.poll(() => composer(page).inputValue()).toBe('Read this:\nFirst.\nSecond.');
    await page.getByText('Only .txt and .md files').waitFor();
    await page.getByText('Only files of at most 200 kB').waitFor();
    await page.getByText('A file could not be read.').waitFor();
  });

  test('keeps its text when the session ends, and sends after signing in again', async () => {
    const page = await openOwnChat(app);
    await app.db.query('update sessions set revoked_at = now()');
    reply(app, 'You are back.');
    await ask(page, 'Q: still here?');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(page.visitor.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await lastReply(page).getByText('You are back.').waitFor();
  });

  test('says at the limit of the plan what is wrong, and the text is not lost', async () => {
    const page = await openOwnChat(app);
    await app.db.query(
      `insert into usage_counters (user_id, day, messages) select id, (now() at time zone 'utc')::date, 40 from users
       where email = $1`,
      [page.visitor.email],
    );
    reply(app, 'One of the last.');
    await ask(page, 'Q: are there more?');
    await page.getByText(/^41 of 50 messages used today/).waitFor();
    await app.db.query(
      `update usage_counters set messages = 50 where user_id = (select id from users where email = $1)`,
      [page.visitor.email],
    );
    await ask(page, 'Q: one too many');
    const alert = page.getByRole('alert').filter({ hasText: 'plan' });
    expect(await alert.getByRole('link', { name: 'See the plans' }).getAttribute('href')).toBe('/settings/billing');
    await alert.getByRole('button', { name: 'Remove the message' }).click();
    await expect.poll(() => composer(page).inputValue()).toBe('Q: one too many');
  });
});
