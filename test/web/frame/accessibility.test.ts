import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../../support/accessibility.ts';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import { pressUntil } from '../../support/keys.ts';
import { fitsWidth, small } from '../../support/layout.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const paths = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/restore-account',
  '/account-deleted',
  '/nope',
];
const forms = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
] as const;

describe.each(forms)('in $colorScheme at $viewport.width px', (form) => {
  test('the pages for visitors have no finding, no animation, nothing outside of the window, and targets that fit fingers', async () => {
    const page = await app.visit('/', form);
    for (const path of paths) {
      await go(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const animations = await page.evaluate('document.getAnimations().length');
      expect([path, await findings(page), animations, await page.evaluate(fitsWidth)]).toEqual([path, [], 0, true]);
      if ('hasTouch' in form) expect([path, await page.evaluate(small)]).toEqual([path, []]);
    }
  });

  test('menus, dialogs and the palette have no finding', async () => {
    const page = await app.visitSignedIn('/robots.txt', form);
    const { id } = await app.createConversation(page.token, { name: 'Ada', instructions: 'You are a tutor.' });
    await page.goto(`/chat/${id}`);
    await page.getByRole('button', { name: 'Conversation menu' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    // A menu is rendered at the end of the page, outside its landmarks.
    expect(await findings(page, ['region'])).toEqual([]);
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: /^Find/ }).waitFor({ state: 'detached' });
    await pressUntil(page, '?', page.getByRole('dialog', { name: 'Keyboard' }));
    expect([await findings(page), await page.evaluate(fitsWidth)]).toEqual([[], true]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'detached' });
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await findings(page, ['region'])).toEqual([]);
  });
});
