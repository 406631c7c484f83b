import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { mailWith } from '../../support/outbox.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const linkIn = (text: string): string => /https?:\/\/\S+/.exec(text)?.[0] ?? '';
/** The path and fragment of a mail's link, on the port of this test. */
const pathOf = (link: string): string => new URL(link).pathname + new URL(link).hash;

describe('getting in', () => {
  test('the front page offers an account and signing in', async () => {
    const page = await app.visit('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(1);
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(1);
  });

  test('signing up shows each fault beside its field, keeps what was typed and focuses the first', async () => {
    const page = await app.visit('/sign-up');
    await page.getByLabel('E-mail').fill('bad');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.locator('[name=email][aria-invalid=true]').waitFor();
    await page.locator('[name=password][aria-invalid=true]').waitFor();
    await page.getByText('Must have at least 8 characters', { exact: true }).waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe('bad');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email');
  });

  test('an account made here stays signed in after a reload, with one session', async () => {
    const page = await app.visit('/sign-up');
    await page.getByLabel('E-mail').fill('newcomer@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/chat');
    await page.reload();
    await page.getByRole('button', { name: /Account menu/ }).waitFor();
    const { rows } = await app.db.query(
      `select count(*)::int as n from sessions s join users u on u.id = s.user_id where u.email = 'newcomer@example.com'`,
    );
    expect(rows[0].n).toBe(1);
    const cookies = await page.context().cookies(`${app.baseUrl}/graphql`);
    expect(cookies).toEqual([]);
  });

  test('reports a wrong password above the button and opens the requested path afterwards', async () => {
    const { email, password } = await app.signUp();
    const page = await app.visit('/chat?x=1');
    await page.waitForURL(/sign-in/);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/chat**');
  });

  test('?next leads to a screen only', async () => {
    const page = await app.visitSignedIn('/sign-in?next=/docs');
    await page.waitForURL('**/chat');
    // A browser removes tabs and dots, and takes a backslash for a slash.
    for (const next of [
      '//evil.example',
      '/%09/evil.example',
      '/..//evil.example',
      '/%5Cevil.example',
      '/.//evil.example',
    ]) {
      await page.goto(`/sign-in?next=${next}`);
      await page.waitForURL('**/chat');
    }
    await page.goto('/sign-in?next=/agents/..%2Fsearch%3Fq%3Dtea');
    await page.waitForURL(`${app.baseUrl}/search?q=tea`);
  });

  test('the link of the verification mail verifies, and its token is gone from the address', async () => {
    const page = await app.visitSignedIn('/chat');
    await page.getByText('Confirm your address').waitFor();
    const mail = await mailWith(app, page.visitor.email, 'Confirm your e-mail address');
    await page.addInitScript(`{
      globalThis.headings = [];
      new MutationObserver(() => headings.push(document.querySelector('h1')?.textContent, document.querySelector('form')?.textContent))
        .observe(document, { childList: true, subtree: true });
    }`);
    await page.goto(pathOf(linkIn(mail.text)));
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
    await expect.poll(() => page.url()).toBe(`${app.baseUrl}/verify-email`);
    // A session that is not known yet must not look like none.
    expect(await page.evaluate(`headings.filter((text) => text?.includes('Password'))`)).toEqual([]);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('button', { name: /Account menu/ }).waitFor();
    await expect.poll(() => page.getByText('Confirm your address').count()).toBe(0);
    await page.goBack();
    await page.getByText('This page needs the link from the mail.').waitFor();
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
  });

  test('the page of the verification link leads on also without a link', async () => {
    const page = await app.visit('/verify-email');
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await page.waitForURL('**/sign-in');
    const signedIn = await app.visitSignedIn('/verify-email');
    await signedIn.getByRole('link', { name: 'Continue' }).click();
    await signedIn.waitForURL('**/chat');
  });

  test('a verification link opened while signed out asks for the password and then verifies', async () => {
    const { email, password } = await app.signUp();
    const mail = await mailWith(app, email, 'Confirm your e-mail address');
    const page = await app.visit(pathOf(linkIn(mail.text)));
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
  });

  test('a forgotten password is reset through the mailed link, and the old one fails', async () => {
    const { email, password } = await app.signUp();
    const page = await app.visit('/forgot-password');
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('we have sent it an e-mail').waitFor();
    await page.getByRole('link', { name: 'outbox' }).waitFor();
    const mail = await mailWith(app, email, 'Set a new password');
    await page.goto(pathOf(linkIn(mail.text)));
    await page.getByLabel('New password').fill('a brand new password');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    const login = (secret: string) => app.call('POST', '/v1/auth/login', { body: { email, password: secret } });
    expect([(await login(password)).status, (await login('a brand new password')).status]).toEqual([401, 200]);
  });

  test('a deleted account is offered to be restored', async () => {
    const { email, password, token } = await app.signUp();
    await app.call('DELETE', '/v1/auth/me', { as: token });
    const page = await app.visit('/sign-in');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Restore this account' }).click();
    await page.getByRole('heading', { name: 'Restore your account' }).waitFor();
    // Both are still there, and neither is kept outside of the page.
    expect(await page.getByLabel('E-mail').inputValue()).toBe(email);
    const stored = `JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }])`;
    expect(await page.evaluate(stored)).not.toContain(password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/chat');
  });

  test('signing out ends the session in every tab', async () => {
    const page = await app.visitSignedIn('/chat');
    const other = await page.context().newPage();
    await other.goto('/chat');
    await other.getByRole('button', { name: /Account menu/ }).waitFor();
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Create an account' }).waitFor();
    await other.getByRole('link', { name: 'Create an account' }).waitFor();
    expect(await page.context().cookies(`${app.baseUrl}/session`)).toEqual([]);
  });

  test('a revoked session opens the sign-in over the page', async () => {
    const page = await app.visitSignedIn('/chat');
    await page.getByRole('button', { name: /Account menu/ }).waitFor();
    await app.db.query('update sessions set revoked_at = now()');
    await page.getByRole('button', { name: 'Send again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(page.visitor.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('We have sent another e-mail.').first().waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
  });
});
