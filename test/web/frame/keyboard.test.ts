import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { blur, pressUntil } from '../../support/keys.ts';
import { settled, upload } from '../../support/knowledge.ts';
import { encryptedPdf } from '../../support/pdf.ts';

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
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const heading = (page: Page, name: string) => title(page, name).waitFor();

async function openChat() {
  const page = await app.visitSignedIn('/robots.txt');
  const { id } = await app.createConversation(page.token, agent);
  await page.goto(`/chat/${id}`);
  await composer(page).waitFor();
  return Object.assign(page, { id });
}

describe('the palette', () => {
  test('finds screens, conversations, messages and actions of the page, by keys alone', async () => {
    const page = await openChat();
    await app.call('PATCH', `/v1/conversations/${page.id}`, { as: page.token, body: { title: 'On prime numbers' } });
    await page.reload();
    await composer(page).waitFor();
    const find = async (words: string, option: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Find/ }).fill(words);
      await page.getByRole('option', { name: option, selected: true }).waitFor();
      await page.keyboard.press('Enter');
    };
    await find('agents', 'Agents');
    await heading(page, 'Agents');
    await find('keyboard', 'Keyboard');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await find('ada edit', 'Ada');
    await heading(page, 'Ada');
    await find('settings security', 'Security');
    await heading(page, 'Security');
    await find('api keys', 'API keys');
    await heading(page, 'API keys');
    await find('new key', 'New key');
    await page.getByRole('dialog', { name: 'New API key' }).waitFor();
    await page.keyboard.press('Escape');
    await find('prime', 'On prime numbers');
    await page.waitForURL(`**/chat/${page.id}`);
    await composer(page).waitFor();
    await find('rename', 'Rename this conversation');
    await page.getByRole('textbox', { name: 'Title' }).fill('Numbers');
    await page.keyboard.press('Enter');
    await heading(page, 'Numbers');
    await find('dark', 'Theme: dark');
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await find('hello', 'Hello!');
    await page.waitForURL(/m=msg_/);
  });

  test('closes with Escape, and the focus returns', async () => {
    const page = await openChat();
    await composer(page).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => page.evaluate('document.activeElement.getAttribute("aria-label") === "Message"'));
  });
});

describe('keys', () => {
  test('go to screens, list themselves, and do nothing while a person types', async () => {
    const page = await openChat();
    await composer(page).pressSequentially('ge?');
    expect(await composer(page).inputValue()).toBe('ge?');
    await composer(page).fill('');
    await pressUntil(page, '?', page.getByRole('dialog', { name: 'Keyboard' }));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'detached' });
    await pressUntil(page, 'ge', title(page, 'Explore'));
    await pressUntil(page, '/', page.locator('[type=search]:focus'));
    await pressUntil(page, 'ga', title(page, 'Agents'));
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading(page, 'Ada');
    await page.keyboard.press('Control+Shift+O');
    await page.waitForURL('**/chat');
  });

  test('step through rows, also those that open nothing', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await app.createAgent(page.token, agent);
    const { id: agentId } = await app.createAgent(page.token, { ...agent, name: 'Bo' });
    const place = { token: page.token, userId: '', agentId, documents: `/v1/knowledge/${agentId}/documents` };
    for (const [name, content] of [
      ['open.txt', 'The office opens at nine.'],
      ['secret.pdf', encryptedPdf()],
    ] as const)
      await settled(app, place, (await upload(app, place, name, content)).body.id);
    for (const name of ['first', 'second'])
      await app.call('POST', '/v1/auth/api-keys', { as: page.token, body: { name, scopes: ['agents:read'] } });
    const step = async (key: string, row: Locator) => {
      await page.keyboard.press(key);
      await row.and(page.locator(':focus')).waitFor();
    };
    await page.goto('/events');
    const events = page.getByRole('button', { name: /^agent\./ });
    await events.nth(1).waitFor();
    for (const [key, row] of [
      ['j', 0],
      ['j', 1],
      ['k', 0],
    ] as const)
      await step(key, events.nth(row));

    await go(page, '/api-keys');
    const keys = page.getByRole('main').getByRole('listitem');
    await keys.nth(1).waitFor();
    for (const [key, row] of [
      ['k', 1],
      ['k', 0],
      ['j', 1],
    ] as const)
      await step(key, keys.nth(row));

    await go(page, `/agents/${agentId}/knowledge`);
    const failed = page.getByRole('listitem').filter({ hasText: 'secret.pdf' });
    await failed.waitFor();
    await step('j', failed);
    await step('j', page.getByRole('link', { name: 'open.txt' }));
    await step('k', failed);

    await go(page, '/settings/security');
    const entries = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
    await entries.nth(2).waitFor();
    await step('j', page.getByRole('listitem').filter({ hasText: 'This one' }));
    for (const [key, row] of [
      ['j', 1],
      ['j', 2],
      ['ArrowUp', 1],
    ] as const)
      await step(key, entries.nth(row));
  });

  test('step through messages, regenerate, edit and rate them', async () => {
    const page = await openChat();
    app.model.script({ deltas: ['The first.'], when: 'Q:' });
    await composer(page).fill('Q: keys');
    await page.keyboard.press('Enter');
    const enabled = (name: string) =>
      eventually(() => page.getByRole('button', { name, exact: true }).last().isEnabled(), { what: name });
    await enabled('Regenerate');
    await pressUntil(page, 'k+', page.getByRole('button', { name: 'Good reply', pressed: true }));
    app.model.script({ deltas: ['The second.'], when: 'Q:' });
    await pressUntil(page, 'k', page.locator('article[aria-label="Ada"]:focus'));
    await page.keyboard.press('r');
    await page.getByText('2 / 2').waitFor();
    await enabled('Previous version');
    await pressUntil(page, 'k[', page.getByText('1 / 2'));
    await enabled('Edit');
    const edit = page.getByRole('textbox', { name: 'Edit the message' });
    await pressUntil(page, 'kke', edit);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Backspace');
    expect(await edit.inputValue()).toBe('');
  });

  test('of one letter can be switched off', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    for (const name of ['Kitchen', 'Garden']) await app.call('POST', '/v1/rooms', { as: page.token, body: { name } });
    await page.goto('/rooms');
    const row = (name: string) => page.getByRole('row').getByRole('link', { name });
    await row('Garden').focus();
    await page.keyboard.press('j');
    await row('Kitchen').and(page.locator(':focus')).waitFor();
    await go(page, '/settings/preferences');
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck();
    await blur(page);
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).waitFor();
    expect(await page.getByRole('dialog', { name: 'Keyboard' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await go(page, '/rooms');
    await row('Garden').focus();
    await page.keyboard.press('j');
    expect(await row('Garden').and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await row('Kitchen').and(page.locator(':focus')).waitFor();
  });
});

describe('a menu', () => {
  test('opens with its items also for the first time, the first one active if by a key, and arrow keys step through them', async () => {
    const page = await openChat();
    await page.evaluate(`
      window.emptyMenus = 0;
      const look = () => {
        const menu = document.querySelector('[role=menu]');
        if (menu && !menu.querySelector('[role^=menuitem]')) window.emptyMenus += 1;
        requestAnimationFrame(look);
      };
      look();
    `);
    const menu = page.getByRole('menu');
    const item = (index: number) => menu.locator('[role^=menuitem]').nth(index).and(page.locator(':focus'));
    await page.getByRole('button', { name: /Account menu/ }).click();
    await menu.waitFor();
    await page.keyboard.press('ArrowDown');
    await item(0).waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Conversation menu' }).focus();
    await page.keyboard.press('Enter');
    await item(0).waitFor();
    await page.keyboard.press('ArrowDown');
    await item(1).waitFor();
    expect(await page.evaluate('window.emptyMenus')).toBe(0);
  });
});

describe('preferences', () => {
  test('apply at once, also without a network, survive a reload without a flash, and follow the account', async () => {
    const page = await app.visitSignedIn('/settings/preferences');
    await page.getByLabel('Send a message with').selectOption('Ctrl or Cmd and Enter');
    await blur(page);
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard' });
    const keysOf = (action: string) => keys.locator('div', { has: page.locator(`dd:text-is("${action}")`) }).last();
    await keysOf('Send').getByText('Ctrl', { exact: true }).waitFor();
    expect(await keysOf('New line').locator('dt').innerText()).toBe('Enter');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    const stored = async (): Promise<string> => {
      const { rows } = await app.db.query(`select preferences from users where email = $1`, [page.visitor.email]);
      return JSON.stringify(rows[0].preferences ?? {});
    };
    // The change before has been stored, so the page knows what the account has.
    await eventually(async () => (await stored()) !== '{}', { what: 'the preference' });
    await page.context().setOffline(true);
    const failed = page.waitForEvent('requestfailed', (request) =>
      Boolean(request.postData()?.includes('"theme":"DARK"')),
    );
    await page.getByLabel('Theme').selectOption('Dark');
    await failed;
    await page.context().setOffline(false);
    await eventually(async () => (await stored()).includes('dark'), { what: 'the theme' });
    // The body begins before the console's own scripts run.
    await page.addInitScript(`new MutationObserver((changes, observer) => {
      if (!document.body) return;
      globalThis.themeOfFirstFrame = document.documentElement.dataset.theme;
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true })`);
    await page.reload();
    expect(await page.evaluate('globalThis.themeOfFirstFrame')).toBe('dark');

    const other = await app.visit('/sign-in');
    await other.getByLabel('E-mail').fill(page.visitor.email);
    await other.getByLabel('Password', { exact: true }).fill(page.visitor.password);
    await other.keyboard.press('Enter');
    await eventually(() => other.evaluate('document.documentElement.dataset.theme === "dark"'));
    await app.createAgent(page.token, agent);
    await other.goto('/chat');
    await composer(other).fill('one');
    await composer(other).press('Enter');
    expect(await composer(other).inputValue()).toBe('one\n');
  });

  test('the sidebar folds to icons with names', async () => {
    const page = await app.visitSignedIn('/chat');
    await page.getByRole('button', { name: 'Collapse the sidebar' }).click();
    await eventually(async () => ((await page.locator('aside').first().boundingBox())?.width ?? 0) <= 57);
    await page.reload();
    await page.getByRole('link', { name: 'Explore', exact: true }).click();
    await heading(page, 'Explore');
  });
});
