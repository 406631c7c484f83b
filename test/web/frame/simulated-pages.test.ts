import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { fitsWidth } from '../../support/layout.ts';
import { outboxOf } from '../../support/outbox.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const phone = { viewport: { width: 390, height: 844 } };

test('the payment page is as wide as a phone, also with a long address', async () => {
  const { token } = await app.signUp({ email: `${'long-'.repeat(11)}address@example-of-a-long-domain.com` });
  const { body } = await app.call('POST', '/v1/billing/checkout', {
    as: token,
    body: { plan: 'plus', interval: 'month', success_url: 'https://x.example/', cancel_url: 'https://x.example/' },
  });
  const page = await app.visit(`/dev/processor/checkout/${body.session_id}`, phone);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.evaluate(fitsWidth)).toBe(true);
});

test('the outbox is dark where the system is, and the links of its mails lead to pages', async () => {
  const { email } = await app.signUp();
  await eventually(async () => (await outboxOf(app, email)).length > 0, { what: 'a mail in the outbox' });
  const page = await app.visit(`/dev/mail?to=${encodeURIComponent(email)}`, { ...phone, colorScheme: 'dark' });
  const link = page.getByRole('link').first();
  await link.waitFor();
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(17, 19, 24)');
  expect(await page.evaluate(fitsWidth)).toBe(true);
  const { pathname } = new URL((await link.getAttribute('href')) ?? '');
  const response = await app.send('GET', pathname, { headers: { accept: 'text/html' } });
  expect([pathname, response.status]).toEqual(['/verify-email', 200]);
});
