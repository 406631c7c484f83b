import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { processorOf } from '../../billing/billing-client.ts';
import { type ConsoleApp, startConsole } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { mailWith } from '../../support/outbox.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

describe('billing', () => {
  test('buys a plan, previews a change, cancels and resumes, and opens an invoice', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const refused = { errors: [{ message: 'Not now.', extensions: { code: 'INTERNAL_ERROR' } }] };
    const refuse = (what: string) =>
      page.route('**/graphql', (route) =>
        route.request().postData()?.includes(what) ? route.fulfill({ json: refused }) : route.fallback(),
      );
    const retry = async (within: Locator): Promise<void> => {
      await within.getByRole('alert').getByText('Not now.').waitFor();
      await page.unroute('**/graphql');
      await within.getByRole('button', { name: 'Try again' }).click();
    };
    await refuse('query Usage');
    await page.goto('/settings/billing');
    const currentPlan = page.getByRole('region', { name: 'Current plan' });
    await retry(currentPlan);
    await currentPlan.getByText(/0 of \d+ agents/).waitFor();
    await page.getByRole('button', { name: 'Choose Plus' }).click();
    await page.getByText('Is declined at once').click();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('alert').getByText('Your card was declined').waitFor();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByText('Thank you. You are on Plus.').waitFor();
    await page.getByText(/ending in 4242/).waitFor();
    await page.getByText(/^Billed monthly\. Current period: .*\d to \d/).waitFor();
    await page.getByRole('link', { name: 'Chat', exact: true }).click();
    await currentPlan.waitFor({ state: 'detached' });
    await page.getByText('Who would you like to talk to?').waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 2, name: 'Plus' }).waitFor();
    expect(await page.getByText('Thank you.').count()).toBe(0);
    await refuse('query PreviewSubscriptionChange');
    await page.getByRole('button', { name: 'Choose Pro' }).click();
    const dialog = page.getByRole('alertdialog');
    await retry(dialog);
    await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    await dialog.getByText('Charged now', { exact: true }).waitFor();
    expect(await dialog.innerText()).toMatch(/\$\s?1[78]\.\d\d|US\$1[78]\.\d\d/);
    await dialog.getByRole('button', { name: 'Change and pay' }).click();
    await page.getByRole('heading', { level: 2, name: 'Pro' }).waitFor();
    await page.getByRole('button', { name: 'Cancel plan' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel plan' }).click();
    await page.getByText(/Cancelled. The plan stays until/).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText(/Next payment on/).waitFor();
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
    const href = await page.getByRole('table', { name: 'Invoices' }).getByRole('link').first().getAttribute('href');
    const pdf = await page.request.get(href ?? '');
    expect(pdf.headers()['content-type']).toContain('pdf');
  });

  test('buys a plan for a year', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await page.goto('/settings/billing');
    await page.getByRole('button', { name: 'Yearly' }).click();
    await page.getByText('a year').first().waitFor();
    await page.getByRole('button', { name: 'Choose Plus' }).click();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByText('Thank you. You are on Plus.').waitFor();
    await page.getByText(/^Billed yearly\./).waitFor();
  });

  test('says what an overdue payment means on every page and how to pay, until it is paid', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await processorOf(app).subscribe(page.token, { card: 'declined' });
    await page.goto('/settings/local');
    await page.getByText(/^It is \d/).waitFor();
    const before = await page.getByText(/^It is \d/).innerText();
    await page.getByLabel('Days').fill('32');
    await page.getByRole('button', { name: 'Move time' }).click();
    // The session ends after 30 days; the request is completed after the new sign-in.
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(page.visitor.password);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await eventually(async () => (await page.getByText(/^It is \d/).innerText()) !== before);
    await page.getByText('A payment failed. Your plan stays active for seven days.').waitFor();
    await page.getByRole('link', { name: 'Update the payment method' }).click();
    await page.getByText('The last payment failed. The plan stays active for seven days').waitFor();

    await app.call('POST', '/dev/clock', { body: { seconds: 8 * 86_400 } });
    await eventually(async () => {
      const { rows } = await app.db.query(`select plan from users where email = $1`, [page.visitor.email]);
      return rows[0].plan === 'free';
    });
    await page.goto('/agents');
    await page.getByRole('alert').getByText('A payment is overdue. The limits of the free plan apply').waitFor();
    await page.getByRole('link', { name: 'Update the payment method' }).click();
    await page.getByText('has been due for over seven days').waitFor();
    await page
      .getByText(/0 of 50 messages/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Pay with another card' }).click();
    await page.getByText('Replace the card').click();
    await page.getByText('Pays', { exact: false }).first().click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.goto('/settings/billing');
    await page.getByText(/Next payment on/).waitFor();
    await page.getByText('A payment is overdue').waitFor({ state: 'detached' });
  });

  test.each([
    ['unpaid', 'The last payment failed for good.'],
    ['incomplete', 'The first payment is missing.'],
  ])('%s: names the missing payment on every page and offers to pay', async (status, notice) => {
    const page = await app.visitSignedIn('/robots.txt');
    await processorOf(app).subscribe(page.token);
    // The simulator ends such subscriptions; Stripe does so only if its settings say so.
    await app.db.query(
      `update billing_accounts set status = $1 where user_id = (select id from users where email = $2)`,
      [status, page.visitor.email],
    );
    await page.goto('/agents');
    const banner = page.getByRole('alert').filter({ hasText: notice });
    await banner.getByRole('link', { name: 'Update the payment method' }).click();
    await page.getByRole('main').getByText(`${notice} The limits of the free plan apply until it is paid.`).waitFor();
    await page.getByRole('button', { name: 'Pay with another card' }).waitFor();
    expect(await page.getByText(/Next payment on/).count()).toBe(0);
  });
});

describe('settings', () => {
  test('keep a conflict of user names beside its field, and a profile', async () => {
    const other = await app.signUp({ username: 'taken-name' });
    expect(other.id).toMatch(/^usr_/);
    const page = await app.visitSignedIn('/settings/profile');
    await page.getByLabel('Username').fill('taken-name');
    await page.getByLabel('Display name').fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[name=username][aria-invalid=true]').waitFor();
    expect(await page.getByLabel('Display name').inputValue()).toBe('Ada Lovelace');
    await page.getByLabel('Username').fill('ada-of-the-test');
    const elsewhere = { bio: 'Written in another tab.' };
    await app.call('PUT', '/v1/auth/me', { as: page.token, body: elsewhere });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await expect.poll(() => page.getByLabel('About you').inputValue()).toBe(elsewhere.bio);
    expect((await app.call('GET', '/v1/auth/me', { as: page.token })).body).toMatchObject({
      ...elsewhere,
      username: 'ada-of-the-test',
      display_name: 'Ada Lovelace',
    });
    await page.getByRole('button', { name: /Ada Lovelace/ }).waitFor();
  });

  test('ask before a profile that is not saved is left', async () => {
    const page = await app.visitSignedIn('/settings/profile');
    await page.getByLabel('About you').fill('I count.');
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await dialog.getByText('Your changes will be lost.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('About you').inputValue()).toBe('I count.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  });

  test('change the e-mail address once the new one is confirmed', async () => {
    const page = await app.visitSignedIn('/settings/profile');
    const address = `new-${page.visitor.email}`;
    const form = page.getByRole('form', { name: 'E-mail change' });
    await form.getByLabel('New address').fill(address);
    await form.getByLabel('Your password', { exact: true }).fill('a wrong password');
    await form.getByRole('button', { name: 'Change address' }).click();
    await form.getByText('The current password is wrong.').waitFor();
    expect(await form.getByLabel('New address').inputValue()).toBe(address);
    await form.getByLabel('Your password', { exact: true }).fill(page.visitor.password);
    await form.getByRole('button', { name: 'Change address' }).click();
    await form.getByRole('status').waitFor();
    const { text } = await mailWith(app, address, 'Confirm your new e-mail address');
    const link = new URL(/http\S+\/verify-email#\S+/.exec(text)?.[0] ?? '');
    await page.goto(link.pathname + link.hash);
    await page
      .getByText(/confirmed/i)
      .first()
      .waitFor();
    await page.goto('/settings/profile');
    await page.getByRole('main').getByText(address, { exact: true }).waitFor();
    await page.getByText('Confirmed', { exact: true }).waitFor();
  });

  test('change the password, end other sessions and show the audit log', async () => {
    const page = await app.visitSignedIn('/settings/security');
    for (let device = 0; device < 3; device++) await app.call('POST', '/v1/auth/login', { body: page.visitor });
    await page.reload();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
    const end = page.getByRole('button', { name: 'End', exact: true });
    await end.first().click();
    await expect.poll(() => end.count()).toBe(2);
    await end.and(page.locator(':focus')).waitFor();
    const { body: elsewhere } = await app.call('GET', '/v1/auth/sessions', { as: page.token });
    const ended = elsewhere.data.find(({ current }: { current: boolean }) => !current);
    await app.call('DELETE', `/v1/auth/sessions/${ended.id}`, { as: page.token });
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End them' }).click();
    await expect.poll(() => end.count()).toBe(0);
    const current = page.getByLabel('Current password');
    await current.fill('not this one');
    await page.getByLabel('New password').fill('another long password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The current password is wrong.').waitFor();
    await current.and(page.locator(':focus[aria-invalid=true]')).waitFor();
    await current.fill(page.visitor.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password was changed').waitFor();
    await page.getByRole('button', { name: 'Change password' }).and(page.locator(':focus')).waitFor();
    expect([await current.inputValue(), await page.getByLabel('New password').inputValue()]).toEqual(['', '']);
    await page.reload();
    for (const words of ['Password changed', 'Session ended', 'Account created'])
      await page.getByRole('table', { name: 'Audit log' }).getByText(words).first().waitFor();
  });

  test('export the data, and delete the account with a way back', async () => {
    const page = await app.visitSignedIn('/settings/data');
    const refused = { errors: [{ message: 'Not now.', extensions: { code: 'INTERNAL_ERROR' } }] };
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('query DataExport') ? route.fulfill({ json: refused }) : route.fallback(),
    );
    await page.getByText(`in a mail to ${page.visitor.email};`).waitFor();
    await page.getByRole('button', { name: 'Request an export' }).click();
    const note = page.getByRole('alert').filter({ hasText: 'Not now.' });
    await note.waitFor();
    await page.unroute('**/graphql');
    await note.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
    await page.getByText(`The link is in a mail to ${page.visitor.email}`).waitFor();
    await page.getByText('For 30 days, signing in restores everything.').waitFor();
    const { body } = await app.call('GET', '/v1/auth/me', { as: page.token });
    const other = await page.context().newPage();
    const { id } = await app.createConversation(page.token, { name: 'Ada' });
    await other.goto(`/chat/${id}`);
    await other.getByRole('textbox', { name: 'Message', exact: true }).fill('Not sent.');
    await page.getByRole('button', { name: 'Delete the account' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText(/Until \d.* \d{4}, signing in restores your account/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete the account' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(body.username);
    await dialog.getByRole('button', { name: 'Delete the account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your account is deleted' }).waitFor();
    await page.getByText(/permanently removed on \d/).waitFor();
    await other.getByRole('link', { name: 'Create an account' }).waitFor();
    await other.close();
    expect(await page.evaluate('Object.keys(localStorage).filter((key) => /^(draft|account)/.test(key))')).toEqual([]);
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(page.visitor.email);
    await page.getByLabel('Password', { exact: true }).fill(page.visitor.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: /Restore/ }).click();
    // Both forms have the same fields.
    await page.getByRole('button', { name: 'Restore the account' }).waitFor();
    await page.getByLabel('E-mail').fill(page.visitor.email);
    await page.getByLabel('Password', { exact: true }).fill(page.visitor.password);
    await page.getByRole('button', { name: 'Restore the account' }).click();
    await page.waitForURL(/\/chat/);
  });
});
