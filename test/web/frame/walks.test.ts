import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { focusInLayer } from '../../support/keys.ts';
import { startWalk } from '../../support/walk.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterAll(() => app.close());

const intro = `# Walks without a mouse

Recorded by \`test/web/frame/walks.test.ts\`, which fails when a walk is no longer possible; \`npx vitest run test/web/frame/walks.test.ts -u\` records them again. "Tab"
stands for as many presses as it takes; a line without a key names what has the focus by itself.
`;

test('every main task can be done with the keyboard alone, with a visible focus', async () => {
  const page = await app.visit('/');
  const walk = startWalk(page);
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true }).first();
  const link = (name: string): Locator => page.getByRole('link', { name, exact: true }).first();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const dialog = page.getByRole('dialog');
  const open = async (target: Locator): Promise<void> => {
    await walk.use(target);
    await page.locator('[role=dialog], [role=menu]').first().waitFor();
    await focusInLayer(page);
  };
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const reply = page.locator('article[aria-label="Numbers"]').last();
  const blur = () => page.evaluate('document.activeElement.blur()');

  walk.task('Sign up');
  await walk.use(link('Create an account'));
  await walk.to(page.getByLabel('E-mail'));
  await walk.type('walker@example.com');
  await walk.to(page.getByLabel('Password', { exact: true }));
  await walk.type('correct horse battery');
  await walk.press('Enter');
  await page.getByRole('main').getByRole('link', { name: 'Create an agent' }).waitFor();

  walk.task('Create an agent from a template and publish it');
  await walk.press('g', 'a');
  await walk.use(page.getByRole('link', { name: /^Tutor/ }));
  await heading('New agent');
  await walk.to(page.getByLabel('Name'));
  await walk.press('Control+a');
  await walk.type('Numbers');
  await walk.use(page.getByRole('switch', { name: 'Public' }), 'Space');
  await page.locator('[role=alertdialog]:focus-within').waitFor();
  await walk.press('Control+Enter');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await walk.to(page.getByRole('textbox', { name: 'Instructions' }));
  await walk.press('Control+Enter');
  await heading('Numbers');

  walk.task('Ask, stop a reply, regenerate and rate it');
  await walk.use(link('Start a chat'));
  await walk.to(composer);
  await walk.type('Why is 91 not prime?');
  app.model.script({ deltas: Array.from({ length: 400 }, () => 'word '), deltaDelayMs: 20, when: '91' });
  await walk.press('Enter');
  await reply.getByText('word').waitFor();
  await walk.to(composer);
  await walk.press('Escape');
  await page.getByText('Stopped', { exact: true }).waitFor();
  app.model.script({ deltas: ['It is 7 times 13.'], when: '91' });
  await walk.use(button('Regenerate'));
  await reply.getByText('It is 7 times 13.').waitFor();
  await walk.use(button('Good reply'));
  await page.getByRole('button', { name: 'Good reply', pressed: true }).waitFor();

  walk.task('Upload a document, ask it and delete it');
  await blur();
  await walk.press('g', 'a');
  await heading('Agents');
  await walk.use(link('Numbers'));
  await heading('Numbers');
  await walk.use(link('Knowledge'));
  await page.getByText('No documents yet').waitFor();
  const chooser = page.waitForEvent('filechooser');
  await walk.use(button('Upload'));
  const buffer = Buffer.from('The office opens at nine.');
  await (await chooser).setFiles({ name: 'office.md', mimeType: 'text/markdown', buffer });
  await page.getByText('Ready, 1 passage').waitFor();
  await walk.to(page.getByRole('combobox', { name: 'Your question' }));
  await walk.type('When does the office open?');
  await walk.press('Enter');
  await page.getByText('office.md, passage 1').waitFor();
  await open(button('Actions for office.md'));
  await walk.press('End', 'Enter');
  await page.getByRole('alertdialog').waitFor();
  await focusInLayer(page);
  await walk.press('Control+Enter');
  await page.getByText('No documents yet').waitFor();

  walk.task('Connect the agent to a platform');
  await blur();
  await walk.press('g', 'i');
  await open(button('Connect Telegram'));
  await walk.to(dialog.getByLabel('Bot token'));
  await walk.type('token-of-the-walk');
  await walk.press('Control+Enter');
  await heading('Numbers on Telegram');

  walk.task('Receive events with a webhook');
  await blur();
  await walk.press('g', 'w');
  await open(button('New webhook'));
  await walk.to(dialog.getByLabel('URL'));
  await walk.type('https://hooks.invalid/walk');
  await walk.use(dialog.getByRole('checkbox', { name: 'agent.*' }), 'Space');
  await walk.press('Control+Enter');
  await walk.use(button('I have stored it'));
  await page.getByRole('heading', { level: 2, name: 'Deliveries' }).waitFor();

  walk.task('Create a key');
  await blur();
  await walk.press('g', 'k');
  await open(button('New key'));
  await walk.to(dialog.getByLabel('Name'));
  await walk.type('Reports');
  await walk.use(dialog.getByRole('button', { name: 'Read everything' }));
  await walk.press('Control+Enter');
  await walk.use(button('I have stored it'));
  await page.getByText('Reports', { exact: true }).waitFor();

  walk.task('Buy a plan');
  await blur();
  await walk.press('g', 's');
  await walk.use(link('Billing'));
  await heading('Billing');
  await walk.use(button('Choose Plus'));
  await page.waitForURL('**/dev/processor/**');
  await walk.use(button(/^Pay/));
  await page.getByText('Thank you. You are on Plus.').waitFor();

  walk.task('Find a conversation and sign out');
  await walk.press('Control+k');
  await page.getByRole('combobox', { name: /^Find/ }).waitFor();
  await walk.type('settings');
  await page.getByRole('option', { selected: true }).waitFor();
  await walk.press('Enter');
  await eventually(() => page.url().includes('/settings'));
  await open(page.getByRole('button', { name: /Account menu/ }));
  await walk.press('End', 'Enter');
  await page.getByRole('link', { name: 'Create an account' }).waitFor();

  await expect(`${intro}\n${walk.record()}\n`).toMatchFileSnapshot('walks.md');
  app.expectNoFaults();
}, 300_000);
