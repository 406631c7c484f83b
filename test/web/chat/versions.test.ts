import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { ask, composer, finished, lastReply, openChat, refuseReplies, reply } from '../../support/chat-page.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => {
  app.expectNoFaults();
  app.model.reset();
});
afterAll(() => app.close());

describe('versions of a message', () => {
  test('regenerating and editing make versions, and the one that was shown last is shown after a reload', async () => {
    const page = await openChat(app);
    reply(app, 'The first.');
    await ask(page, 'Q: versions');
    await finished(page);
    reply(app, 'The second.');
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await lastReply(page).getByText('The second.').waitFor();
    await page.getByText('2 / 2').waitFor();
    // Versions can be switched once the new reply has ended.
    await page.getByRole('button', { name: 'Previous version', disabled: false }).waitFor();
    await lastReply(page).focus();
    for (const [key, text] of [
      ['[', 'The first.'],
      [']', 'The second.'],
      ['[', 'The first.'],
    ] as const) {
      await page.keyboard.press(key);
      await lastReply(page).getByText(text).waitFor();
      // Its element stays, and with it the focus and the place.
      expect(await lastReply(page).evaluate((article) => article === document.activeElement)).toBe(true);
    }
    await page.reload();
    await lastReply(page).getByText('The first.').waitFor();
    reply(app, 'To the edited one.');
    await composer(page).press('ArrowUp');
    await page.getByRole('textbox', { name: 'Edit the message' }).fill('Q: edited');
    await page.keyboard.press('Control+Enter');
    await lastReply(page).getByText('To the edited one.').waitFor();
    await page.getByRole('group', { name: 'Message actions' }).getByText('2 / 2').waitFor();
  });

  test('the focus stays at a message or returns to the field after each action', async () => {
    const page = await openChat(app);
    const focusedIs = (element: Locator) => element.and(page.locator(':focus')).waitFor();
    const question = page.getByRole('article', { name: 'You' });
    const regenerateButton = page.getByRole('button', { name: 'Regenerate', disabled: false });
    reply(app, 'The first.');
    await ask(page, 'Q: focus');
    await regenerateButton.waitFor();
    app.model.script({ deltas: ['One ', 'two '], when: 'Q:', fault: { kind: 'hang', after: 2 } });
    await regenerateButton.press('Enter');
    await lastReply(page).getByText('One two').waitFor();
    await focusedIs(composer(page));
    await page.keyboard.press('Escape');
    await page.getByText('Stopped', { exact: true }).waitFor();
    await regenerateButton.waitFor();
    await question.getByRole('button', { name: 'Edit' }).press('Enter');
    await page.getByRole('textbox', { name: 'Edit the message' }).press('Escape');
    await focusedIs(question);
    await question.getByRole('button', { name: 'Edit' }).press('Enter');
    await page.getByRole('textbox', { name: 'Edit the message' }).fill('Q: edited');
    app.model.script({ status: 400, when: 'Q:' });
    await page.keyboard.press('Control+Enter');
    await focusedIs(composer(page));
    reply(app, 'At last.');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await focusedIs(composer(page));
    await question.getByRole('button', { name: 'Previous version', disabled: false }).press('Enter');
    await question.getByText('Q: focus').waitFor();
    await focusedIs(question);
  });

  test('an edit that waits is marked, and is changed in the form of its message', async () => {
    const page = await openChat(app);
    reply(app, 'The first.');
    await ask(page, 'Q: original');
    await finished(page);
    const alert = await refuseReplies(page, /messageStream/);
    await ask(page, 'Q: refused');
    await alert.waitFor();
    const original = page.getByRole('article', { name: 'You' }).first();
    const form = page.getByRole('textbox', { name: 'Edit the message' });
    const queued = page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    await original.getByRole('button', { name: 'Edit' }).click();
    await form.fill('Q: edited');
    await form.press('Control+Enter');
    await queued.getByText('Edited message').waitFor();
    await queued.getByRole('button', { name: 'Edit' }).click();
    await expect.poll(() => form.inputValue()).toBe('Q: edited');
    expect(await composer(page).inputValue()).toBe('');
    await form.fill('Q: edited twice');
    await form.press('Control+Enter');
    await queued.getByText('Edited message').waitFor();
    reply(app, 'To the edit.');
    await alert.getByRole('button', { name: 'Remove the message' }).click();
    await lastReply(page).getByText('To the edit.').waitFor();
    await original.getByText('2 / 2').waitFor();
    await original.getByText('Q: edited twice').waitFor();
    await composer(page).fill('');
    await page.unrouteAll();
  });

  test('what the service refuses to replace stays, and an edit can be removed', async () => {
    const page = await openChat(app);
    reply(app, 'It stays.');
    await ask(page, 'Q: at the limit');
    await finished(page);
    const alert = await refuseReplies(page, /(regenerate|edit)Stream/);
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await alert.waitFor();
    await lastReply(page).getByText('It stays.').waitFor();
    await composer(page).press('ArrowUp');
    await page.getByRole('textbox', { name: 'Edit the message' }).fill('Q: changed');
    await page.keyboard.press('Control+Enter');
    await alert.getByRole('button', { name: 'Remove the message' }).click();
    await expect.poll(() => composer(page).inputValue()).toBe('Q: changed');
    await lastReply(page).getByText('It stays.').waitFor();
    await page.getByText('Q: at the limit').waitFor();
    expect(await page.getByRole('article', { name: 'You' }).count()).toBe(1);
    await composer(page).fill('');
    await page.unrouteAll();
  });
});
