import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { refuseOnce } from '../../support/refuse-once.ts';

let app: ConsoleApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  app = await shareConsole();
});
afterEach(() => {
  receiver.behave(answer(200));
  app.expectNoFaults();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

describe('webhooks', () => {
  test('show the secret once, and a failing delivery is explained and repaired from its sheet', async () => {
    const page = await app.visitSignedIn('/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByLabel('URL').fill(receiver.url);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    expect(await page.getByLabel('URL').inputValue()).toBe(receiver.url);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Choose at least one event.').waitFor();
    await page.getByRole('checkbox', { name: 'agent.*' }).check();
    await page.getByText('Choose at least one event.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = await page.locator('pre[aria-label=Secret]').innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { level: 2, name: 'Deliveries' }).waitFor();
    expect(await page.evaluate(`document.documentElement.outerHTML.includes('${secret}')`)).toBe(false);

    receiver.behave(answer(500, {}, 'the database is away'));
    await page.mouse.move(0, 0);
    await page.getByText('Nothing sent yet.').waitFor();
    await app.createAgent(page.token);
    await page.getByRole('cell', { name: 'Failed' }).first().waitFor();
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('j');
    const row = page.getByRole('button', { name: 'agent.created' });
    await row.and(page.locator(':focus')).waitFor();
    await app.createAgent(page.token);
    const more = page.getByRole('button', { name: '1 new' });
    await more.waitFor();
    expect(await row.count()).toBe(1);
    await more.click();
    await expect.poll(() => row.count()).toBe(2);
    await page.getByLabel('State').selectOption('FAILED');
    await page.waitForURL(/status=FAILED/);
    await page.reload();
    expect(page.url()).toContain('status=FAILED');
    await page.getByRole('button', { name: 'agent.created' }).first().click();
    await page.getByText('HTTP 500').first().waitFor();
    await page.getByRole('dialog').getByText('the database is away').first().waitFor();
    await expect.poll(() => page.getByRole('dialog').getByText('HTTP 500').count()).toBe(2);
    await page.getByRole('heading', { name: 'Payload' }).waitFor();
    receiver.behave(answer(200));
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog').getByText('Delivered').waitFor();
    await page.getByRole('dialog').getByText('HTTP 200').waitFor();
    const list = page.url().replace(/&delivery=[^&]*/, '');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForURL(list);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });

  test('that the service disabled say why without a reload, and are enabled from the sheet of the delivery', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const body = { url: receiver.url, events: ['agent.created'] };
    const { body: webhook } = await app.call('POST', '/v1/webhooks', { as: page.token, body });
    await page.goto(`/webhooks/${webhook.id}`);
    await page.getByText('Nothing sent yet.').waitFor();
    receiver.behave(answer(410));
    await app.createAgent(page.token);
    const reason = 'Disabled: the endpoint is gone (410)';
    await page.getByText(reason).waitFor();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    const table = page.getByRole('table', { name: 'Webhooks' });
    await table.getByText(reason).waitFor();
    await table.getByRole('link').click();
    await page.getByRole('button', { name: 'agent.created' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('HTTP 410').waitFor();
    await sheet.getByText(reason).waitFor();
    receiver.behave(answer(200));
    await sheet.getByRole('button', { name: 'Enable' }).click();
    await sheet.getByRole('button', { name: 'Send again' }).and(page.locator(':focus')).click();
    await sheet.getByText('HTTP 200').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('main').getByText('Active', { exact: true }).waitFor();
  });

  test('show no attempt of a skipped delivery as one that is still to come', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await app.createAgent(page.token);
    const body = { url: receiver.url, events: ['agent.created'] };
    const { body: webhook } = await app.call('POST', '/v1/webhooks', { as: page.token, body });
    await app.db.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at, finished_at)
       select 'dlv_' || substr(o.id, 5), w.id, o.id, o.type, 'skipped', now(), now(), now()
       from outbox_events o join webhooks w on w.user_id = o.account_id and o.type = 'agent.created' where w.id = $1`,
      [webhook.id],
    );
    await page.goto(`/webhooks/${webhook.id}`);
    await page.getByRole('button', { name: 'agent.created' }).click();
    await page.getByRole('dialog').getByText('None.', { exact: true }).waitFor();
    expect(await page.getByText('None yet').count()).toBe(0);
  });

  test('are tested, switched, edited, recovered and deleted on their pages, also when already deleted elsewhere', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const body = { url: receiver.url, events: ['agent.created'] };
    const { body: webhook } = await app.call('POST', '/v1/webhooks', { as: page.token, body });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/webhooks/${webhook.id}`);
    await page.getByRole('button', { name: 'Test event' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toContain(`curl -X POST '${receiver.url}'`);
    await page.getByRole('dialog').getByText('HTTP 200').waitFor();
    await page.keyboard.press('Escape');

    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Webhook actions' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    const refused = { errors: [{ message: 'Not now.', extensions: { code: 'INTERNAL_ERROR' } }] };
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('updateWebhook') ? route.fulfill({ json: refused }) : route.fallback(),
    );
    await act('Disable');
    await page.getByRole('alert').getByText('The webhook was not changed.').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Turned off').waitFor();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByRole('button', { name: 'Enable' }).click();
    const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('link');
    await row.and(page.locator(':focus')).waitFor();
    await row.click();
    await act('Edit');
    await page.getByLabel('Description').fill('Orders');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();

    receiver.behave(answer(500));
    // New rows wait while the pointer is over the list.
    await page.mouse.move(0, 0);
    await app.createAgent(page.token);
    await page.getByRole('cell', { name: 'Failed' }).waitFor();
    receiver.behave(answer(200));
    await act('Recover deliveries');
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('1 delivery is sent again.').waitFor();
    await page.getByRole('cell', { name: 'Failed' }).waitFor({ state: 'detached' });
    await act('Rotate secret');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate' }).click();
    expect(await page.locator('pre[aria-label=Secret]').innerText()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    // Another device deletes it first.
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation DeleteWebhook'))
        await app.call('DELETE', `/v1/webhooks/${webhook.id}`, { as: page.token });
      await route.fallback();
    });
    await act('Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });

  test('have a chart whose numbers are those of its table and of the API', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const body = { url: receiver.url, events: ['agent.created'] };
    const { body: webhook } = await app.call('POST', '/v1/webhooks', { as: page.token, body });
    // The first attempt fails; its retry and the other delivery succeed.
    let attempts = 0;
    receiver.behave((...attempt) => answer(attempts++ === 0 ? 500 : 200)(...attempt));
    await app.createAgent(page.token);
    await app.createAgent(page.token);
    const stats = async () => (await app.call('GET', `/v1/webhooks/${webhook.id}/stats`, { as: page.token })).body;
    await eventually(async () => (await stats()).delivered === 2);
    expect(await stats()).toMatchObject({ attempts: 3, delivered: 2, failed: 0, failed_attempts: 1 });
    await page.goto(`/webhooks/${webhook.id}`);
    await page.getByText('Total', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('figure').innerText()).toMatch(/Delivered\s+2\s+Failed\s+1/);
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const cells = await page.getByRole('region', { name: 'Attempts by hour' }).getByRole('cell').allInnerTexts();
    expect(cells).toHaveLength(48);
    const sum = (column: number) =>
      cells.filter((_, place) => place % 2 === column).reduce((total, cell) => total + Number(cell), 0);
    expect([sum(0), sum(1)]).toEqual([2, 1]);
    await page.getByRole('button', { name: '30 days' }).click();
    await page.getByRole('region', { name: 'Attempts by day' }).waitFor();
    await page.getByRole('button', { name: '30 days', pressed: true }).and(page.locator(':focus')).waitFor();
    await refuseOnce(page, 'query WebhookStats');
    await app.createAgent(page.token);
    await page.getByRole('alert').getByText('Not now.').waitFor();
    await page.getByRole('region', { name: 'Attempts by day' }).waitFor();
  });

  test('show only the table of a chart that the locale of the browser prevents', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await page.addInitScript(`Object.defineProperty(navigator, 'language', { value: 'en-US@posix' })`);
    const body = { url: receiver.url, events: ['agent.created'] };
    const { body: webhook } = await app.call('POST', '/v1/webhooks', { as: page.token, body });
    receiver.behave(answer(200));
    await app.createAgent(page.token);
    await page.goto(`/webhooks/${webhook.id}`);
    await page.getByRole('region', { name: 'Attempts by hour' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show as a table' }).count()).toBe(0);
  });
});
