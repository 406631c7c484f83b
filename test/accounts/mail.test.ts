import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMail } from '../../src/accounts/mail/mails.ts';
import { inTransaction } from '../../src/core/database/transaction.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';

let service: TestApp;
let server: Awaited<ReturnType<typeof startMailServer>>;

beforeAll(async () => {
  server = await startMailServer({ answerTo: (address) => (address.startsWith('nobody') ? 550 : 250) });
  service = await startTestApp({
    env: { SMTP_URL: server.url, MAIL_FROM: 'The Service <service@example.org>', PUBLIC_URL: 'https://chat.example' },
  });
});
afterAll(async () => {
  await service.close();
  await server.stop();
});

const disabled = (userId: string, url: string) => {
  const ctx = service.app.newCtx({ kind: 'system' });
  const data = { webhookId: 'wh_1', url, reason: 'it failed 100 times in a row' };
  return inTransaction(ctx, (tx) => sendMail(tx, { userId, template: 'webhookDisabled', data }));
};
const withSubject = (address: string, subject: string) =>
  eventually(() => server.to(address).find((mail) => mail.subject === subject), { what: `a mail "${subject}"` });

test('a mail arrives as text and HTML from MAIL_FROM, with user input escaped, and its row is deleted', async () => {
  const ada = await service.signUp();
  await disabled(ada.id, 'https://example.com/?a=<b>&c\r\nBcc: eve@example.com');
  const mail = await withSubject(ada.email, 'A webhook was disabled');
  expect(mail.from).toEqual({ name: 'The Service', address: 'service@example.org' });
  expect(mail.recipients).toEqual([ada.email]);
  expect(mail.bcc ?? []).toEqual([]);
  expect(mail.text).toContain('https://example.com/?a=<b>&c Bcc: eve@example.com was disabled');
  expect(mail.html).toContain('https://example.com/?a=&lt;b&gt;&amp;c Bcc: eve@example.com');
  expect(mail.messageId).toMatch(/^<mail_[0-9a-f-]{36}@example\.org>$/);
  await eventually(async () => (await service.db.query('select from mails')).rowCount === 0);
  await eventually(async () => (await service.db.query(`select from tasks where kind = 'mail'`)).rowCount === 0);
});

test('a mail is not sent when its transaction is rolled back', async () => {
  const ada = await service.signUp();
  const ctx = service.app.newCtx({ kind: 'system' });
  await expect(
    inTransaction(ctx, async (tx) => {
      await sendMail(tx, { userId: ada.id, template: 'passwordChanged', data: { username: 'ada' } });
      throw new Error('something else went wrong');
    }),
  ).rejects.toThrow('something else');
  await disabled(ada.id, 'https://example.com/later');
  await withSubject(ada.email, 'A webhook was disabled');
  expect(server.to(ada.email).map((mail) => mail.subject)).not.toContain('Your password was changed');
});

test('a mail to an unknown mailbox is attempted once', async () => {
  const nobody = await service.signUp({ email: `nobody-${Date.now()}@example.com` });
  await disabled(nobody.id, 'https://example.com');
  await eventually(
    async () => (await service.db.query('select from mails where user_id = $1', [nobody.id])).rowCount === 0,
  );
  expect(server.to(nobody.email)).toEqual([]);
});

test('mails that are waiting are encrypted in the database', async () => {
  const ctx = service.app.newCtx({ kind: 'system' });
  const ada = await service.signUp();
  await inTransaction(ctx, async (tx) => {
    await sendMail(tx, { userId: ada.id, template: 'resetPassword', data: { username: 'a', token: 'rst_plain' } });
    const rows = await tx.em.execute('select m::text || t.payload::text as row from mails m, tasks t');
    expect(JSON.stringify(rows)).not.toContain('rst_plain');
  });
});

test('without a mail server /dev/mail lists the mails, as JSON and as a page, newest first, and to pages of this service only', async () => {
  const embedded = await startTestApp();
  const ada = await embedded.signUp();
  const ctx = embedded.app.newCtx({ kind: 'system' });
  const data = { webhookId: 'wh_1', url: 'https://example.com/<script>', reason: 'gone' };
  await inTransaction(ctx, (tx) => sendMail(tx, { userId: ada.id, template: 'webhookDisabled', data }));
  const path = `/dev/mail?to=${encodeURIComponent(ada.email)}`;
  const mail = await eventually(async () => {
    const answer = await embedded.call('GET', path, { headers: { accept: 'application/json' } });
    return (answer.body.data as { subject: string }[]).find((one) => one.subject === 'A webhook was disabled');
  });
  expect(mail).toEqual({
    id: expect.stringMatching(/^mail_/),
    to: ada.email,
    subject: 'A webhook was disabled',
    text: expect.stringContaining('https://example.com/<script>'),
    html: expect.stringContaining('https://example.com/&lt;script&gt;'),
    created_at: expect.stringMatching(/Z$/),
  });
  const shown = await embedded.call('GET', path, { headers: { accept: 'text/html' } });
  expect(shown.headers.get('content-type')).toContain('text/html');
  expect(shown.body).toContain('&lt;script&gt;');
  expect(shown.body).not.toContain('<script>');
  const nobody = await embedded.call('GET', '/dev/mail?to=nobody@example.com', {
    headers: { accept: 'application/json' },
  });
  expect(nobody.body).toEqual({ data: [] });
  const page = (origin: string) => embedded.send('GET', '/dev/mail', { headers: { origin } });
  const own = await page(embedded.baseUrl);
  expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  expect((await page('https://example.com')).status).toBe(403);
  const preflight = await embedded.send('OPTIONS', '/dev/clock', { headers: { origin: 'https://example.com' } });
  expect(preflight.headers.get('access-control-allow-methods')).toBeNull();
  await embedded.close();
});
