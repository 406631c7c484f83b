import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../support/accessibility.ts';
import { type ConsoleApp, go, startConsole } from '../support/browser.ts';
import { fitsWidth, small } from '../support/layout.ts';
import { socialOf } from '../support/social.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const phone = { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

describe('sharing', () => {
  test('a conversation is passed on by a link that is shown once, hides who made it, and ends when it is revoked', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const agent = { name: 'Ada', instructions: 'Be kind.', greeting_message: 'Hello **you**.', is_public: true };
    const { id } = await app.createConversation(page.token, agent);
    await go(page, `/chat/${id}`);
    await page.getByRole('button', { name: 'Conversation menu' }).click();
    await page.getByRole('menuitem', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title (optional)').fill('Worth reading');
    expect(await dialog.getByLabel('Show my name').isChecked()).toBe(false);
    await dialog.getByRole('button', { name: 'Create a link' }).click();
    const link = await dialog.locator('pre[aria-label=Link]').innerText();
    const path = new URL(link).pathname;
    const visitor = await app.visit(path, phone);
    await visitor.getByRole('heading', { level: 1, name: 'Worth reading' }).waitFor();
    await visitor.getByRole('article', { name: 'Ada' }).getByText('you', { exact: true }).waitFor();
    expect(await visitor.getByText('Shared by').count()).toBe(0);
    expect([await findings(visitor), await visitor.evaluate(fitsWidth), await visitor.evaluate(small)]).toEqual([
      [],
      true,
      [],
    ]);
    const next = encodeURIComponent(path);
    const signIn = visitor.getByRole('link', { name: 'Sign in to continue this conversation' });
    expect(await signIn.getAttribute('href')).toBe(`/sign-in?next=${next}`);
    const reader = await app.visitSignedIn(path);
    await reader.getByRole('button', { name: 'Continue this conversation' }).click();
    await reader.waitForURL(/\/chat\/conv_/);
    await reader.getByText('Hello you.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await go(page, '/settings/sharing');
    const links = page.getByRole('region', { name: 'Links that you shared' });
    await links.getByText('Worth reading').waitFor();
    await links.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await links.getByText('Revoked', { exact: true }).waitFor();
    await visitor.reload();
    await visitor.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
    app.expectNoFaults(/^log: ApiError: The resource does not exist/);
  });

  test('a profile is followed, muted and blocked; the settings take a block back and hide the own profile', async () => {
    const other = await socialOf(app).person('bo');
    await app.createAgent(other.token, { name: 'Cook', is_public: true });
    const page = await app.visitSignedIn('/robots.txt');
    await go(page, `/users/${other.name}`);
    await page.getByRole('link', { name: 'Cook' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('button', { name: 'Unfollow' }).waitFor();
    await page.getByRole('button', { name: 'More about this account' }).click();
    await page.getByRole('menuitem', { name: 'Mute' }).click();
    await page.getByRole('button', { name: 'More about this account' }).click();
    await page.getByRole('menuitem', { name: 'Block' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
    await page.waitForURL('**/marketplace');
    await go(page, '/settings/sharing');
    await page.getByRole('button', { name: `Unblock: ${other.name}` }).click();
    await page.getByText('You block no one.').waitFor();
    const everyone = page.getByLabel('Everyone sees my profile');
    expect(await everyone.isChecked()).toBe(true);
    await everyone.click();
    await expect.poll(() => everyone.isChecked()).toBe(false);
    const { body } = await app.call('GET', '/v1/social/profile', { as: page.token });
    expect(body.visibility).toBe('hidden');
  });
});
