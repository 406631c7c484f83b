import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, type SignedInPage, shareConsole, type Visitor } from '../../support/browser.ts';
import { ask, composer, lastReply, openOwnChat, reply } from '../../support/chat-page.ts';
import { holdAnswer } from '../../support/hold-answer.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => {
  app.expectNoFaults(/ERR_FAILED/);
  app.model.reset();
});
afterAll(() => app.close());

const agent = { name: 'Ada', instructions: 'You are a tutor.', greeting_message: 'Hello!' };

const refusal = { errors: [{ message: 'You may not do that.', extensions: { code: 'FORBIDDEN' } }] };

/** Holds the requests of an operation. Returns a function that forwards or refuses them. */
async function hold(page: Page, operation: string): Promise<(outcome?: 'answered' | 'refused') => void> {
  const released = Promise.withResolvers<'answered' | 'refused'>();
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes(operation)) return route.fallback();
    return (await released.promise) === 'refused' ? route.fulfill({ json: refusal }) : route.fallback();
  });
  return (outcome = 'answered') => released.resolve(outcome);
}

async function openNewChat(): Promise<SignedInPage> {
  const page = await app.visitSignedIn('/robots.txt');
  await app.createAgent(page.token, agent);
  await page.goto('/chat');
  await page.getByRole('heading', { name: 'Ada' }).waitFor();
  return page;
}

async function hasText(page: Page, text: string): Promise<void> {
  await expect.poll(() => composer(page).inputValue()).toBe(text);
}

describe('what is typed stays', () => {
  test('when the agent chosen last turns out to be gone', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await app.createAgent(page.token, agent);
    await page.evaluate(`localStorage.setItem('last-agent', 'agent_gone')`);
    const release = await hold(page, 'query ChatAgent');
    await page.goto('/chat');
    await composer(page).fill('half a thought');
    release();
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    await hasText(page, 'half a thought');
  });

  test('when the agent could not be loaded, until it can be', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await app.createAgent(page.token, agent);
    let isDown = true;
    await page.route('**/graphql', (route) =>
      isDown && route.request().postData()?.includes('query ChatAgent') ? route.abort() : route.fallback(),
    );
    await page.goto('/chat');
    await composer(page).fill('half a thought');
    await page.getByRole('main').getByText('The service can’t be reached.').waitFor();
    isDown = false;
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    await hasText(page, 'half a thought');
  });

  test('while a conversation is created, and moves to it', async () => {
    const page = await openNewChat();
    const release = await hold(page, 'mutation CreateConversation');
    await composer(page).fill('Q: first');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Q: first').waitFor();
    await composer(page).fill('and then');
    release();
    await page.waitForURL(/\/chat\/con/);
    await hasText(page, 'and then');
    await page.goto('/chat');
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    expect(await composer(page).inputValue()).toBe('');
  });

  test('behind the message that the service refuses', async () => {
    const page = await openNewChat();
    const release = await hold(page, 'mutation CreateConversation');
    await composer(page).fill('Q: first');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Q: first').waitFor();
    await composer(page).fill('and then');
    release('refused');
    await hasText(page, 'Q: first\nand then');
  });

  test('while an agent is saved', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createAgent(page.token, agent);
    await page.goto(`/agents/${id}/edit`);
    await page.getByLabel('Description').fill('Saved.');
    const release = await hold(page, 'mutation UpdateAgent');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('form button[type=submit][aria-disabled=true]').waitFor();
    await page.getByLabel('Description').fill('Saved. And more.');
    release();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Saved. And more.');
    await page.reload();
    await page.getByText('Unsaved changes').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Saved. And more.');
  });

  test('when another tab sends its own text of the same draft', async () => {
    const page = await openNewChat();
    const other = await page.context().newPage();
    await other.goto('/chat');
    await composer(page).fill('a long thought');
    await hasText(other, 'a long thought');
    await composer(other).fill('Q: short');
    await other.getByRole('button', { name: 'Send', exact: true }).click();
    await other.waitForURL(/\/chat\/con/);
    await page.reload();
    await hasText(page, 'a long thought');
  });

  test('for the account that typed it, and no other that signs in on this browser sees or saves it', async () => {
    const page = await app.visitSignedIn('/settings/preferences');
    const second = await app.signUp();
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('mutation UpdatePreferences') ? route.abort() : route.fallback(),
    );
    await page.getByLabel('Theme').selectOption('Dark');
    await go(page, '/agents/new');
    await instructions(page).fill('of the first account');
    await app.db.query(
      'update sessions set revoked_at = now() where user_id = (select id from users where email = $1)',
      [page.visitor.email],
    );
    await page.getByRole('button', { name: 'Send again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();

    const other = await page.context().newPage();
    await signInAs(other, second);
    await page.getByText(second.email).first().waitFor();
    expect([await dialog.count(), await instructions(page).inputValue()]).toEqual([0, '']);
    await go(other, '/settings/preferences');
    await other.getByLabel('Density').selectOption('Compact');
    await expect.poll(() => preferencesOf(second)).toEqual({ density: 'compact' });

    await other.getByRole('button', { name: /Account menu/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('link', { name: 'Create an account' }).waitFor();
    await signInAs(other, page.visitor);
    await expect.poll(async () => (await preferencesOf(page.visitor)).theme).toBe('dark');
    await go(other, '/agents/new');
    await expect.poll(() => instructions(other).inputValue()).toBe('of the first account');
  });
});

const instructions = (page: Page): Locator => page.getByRole('textbox', { name: 'Instructions' });

async function signInAs(page: Page, { email, password }: Visitor): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /Account menu/ }).waitFor();
}

async function preferencesOf({ email }: Visitor): Promise<Record<string, string>> {
  const { rows } = await app.db.query('select preferences from users where email = $1', [email]);
  return rows[0].preferences;
}

test('a person who signs out while a reply is written, and in again, finds each message once', async () => {
  const page = await openOwnChat(app);
  reply(app, 'word '.repeat(20), 50);
  await ask(page, 'Q: long');
  await lastReply(page).getByText('word').first().waitFor();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await expect
    .poll(async () => (await app.db.query('select from messages where conversation_id = $1', [page.id])).rowCount)
    .toBe(3);
  await page.getByLabel('E-mail').fill(page.visitor.email);
  await page.getByLabel('Password', { exact: true }).fill(page.visitor.password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Conversations' }).locator(`a[href$="${page.id}"]`).click();
  await lastReply(page).getByText('word').first().waitFor();
  expect(await page.getByRole('log').locator('article').count()).toBe(3);
  expect(await page.getByRole('log').getByRole('alert').count()).toBe(0);
});

test('preferences chosen before those of the account arrive override them, also those that are stored by then', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  const body = { query: 'mutation { updatePreferences(input: { theme: LIGHT, sendKey: CTRL_ENTER }) { theme } }' };
  await app.call('POST', '/graphql', { as: page.token, body });
  const held = await holdAnswer(page, 'MyPreferences');
  await page.goto('/settings/preferences');
  await held.answered;
  const saved = page.waitForResponse((response) => response.request().postData()?.includes('UpdatePref') === true);
  await page.getByLabel('Theme').selectOption('Dark');
  await saved;
  await page.getByLabel('Density').selectOption('Compact');
  await held.release();
  await expect.poll(() => page.getByLabel('Send a message with').inputValue()).toBe('ctrl-enter');
  expect(await page.getByLabel('Theme').inputValue()).toBe('dark');
  expect(await page.getByLabel('Density').inputValue()).toBe('compact');
  await expect.poll(() => preferencesOf(page.visitor)).toMatchObject({ theme: 'dark', density: 'compact' });
});

test('an integration can be connected before the list of agents has arrived', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  await app.createAgent(page.token, agent);
  const release = await hold(page, 'query MyChatAgents');
  await page.goto('/integrations');
  await page.getByRole('button', { name: 'Connect Telegram' }).click();
  await page.getByLabel('Bot token').fill('token-before-agents');
  await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click();
  release();
  await page.getByRole('heading', { level: 1, name: 'Ada on Telegram' }).waitFor();
});
