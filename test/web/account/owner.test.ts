import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { cuttableSockets } from '../../support/cut-sockets.ts';
import { eventually } from '../../support/eventually.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

describe('integrations', () => {
  test('connect with channels from the list, show why a token fails without a reload, and are tested and tried', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await app.createAgent(page.token, { name: 'Ada', instructions: 'You are a tutor.' });
    await page.goto('/integrations');
    await page.getByRole('button', { name: 'Connect Discord' }).click();
    await page.getByLabel('Bot token').fill('a-bot-in-no-server');
    const nothing = { discoverChannels: { botName: 'Ada', isComplete: true, places: [] } };
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('DiscoverChannels')
        ? route.fulfill({ json: { data: nothing } })
        : route.fallback(),
    );
    await page.getByRole('button', { name: 'List its channels' }).click();
    await page.getByText('It has not joined any server').waitFor();
    await page.unroute('**/graphql');
    await page.getByLabel('Bot token').fill('another-good-token');
    await page.getByText('It has not joined any server').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'List its channels' }).click();
    await page.getByRole('checkbox', { name: '# general' }).check();
    await page.getByLabel('Bot token').fill('a-good-token');
    await page.getByRole('checkbox', { name: '# general' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Channel IDs').inputValue()).toBe('');
    await page.getByRole('button', { name: 'List its channels' }).click();
    await page.getByRole('checkbox', { name: '# general' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Choose at least one channel.').waitFor();
    await page.getByRole('checkbox', { name: '# general' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada on Discord' }).waitFor();
    await page.getByText('An integration connected').waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/Sent in \d+ ms/).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('What is a prime?');
    await page.getByRole('button', { name: 'Write' }).click();
    await eventually(async () => (await page.getByRole('log').getByText('Bot').count()) > 1);

    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('button', { name: 'Connect Telegram' }).click();
    await page.getByLabel('Bot token').fill('bad-token');
    await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada on Telegram' }).waitFor();
    await page.getByText('Error', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('status').getByText('connect the bot with its current token').waitFor();

    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('button', { name: 'Connect Slack' }).click();
    await page.getByLabel('Bot token').fill('a-good-token');
    await page.getByLabel('Workspace ID').fill('T1');
    await page.getByLabel('Channel IDs').fill('C1, C2 ');
    await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada on Slack' }).waitFor();
    await page.getByLabel('Channel IDs').fill('C1 C3');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    const path = `/v1${new URL(page.url()).pathname}`;
    expect((await app.call('GET', path, { as: page.token })).body.channel_ids).toEqual(['C1', 'C3']);
    await app.call('PUT', path, { as: page.token, body: { channel_ids: ['C9'] } });
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Turned off').waitFor();
    await expect.poll(() => page.getByLabel('Channel IDs').inputValue()).toBe('C9');
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('button', { name: 'Switch off' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
    await page.getByRole('link', { name: 'Ada on Discord' }).waitFor();
    await page.getByRole('link', { name: 'Ada on Slack' }).waitFor({ state: 'detached' });
  });
});

describe('the API', () => {
  test('is shown on each screen by a working command and a link to the reference', async () => {
    const page = await app.visitSignedIn('/webhooks');
    await page.getByRole('button', { name: 'The same with the API' }).click();
    expect(await page.locator('pre[aria-label=Command]').innerText()).toContain(`curl ${app.baseUrl}/v1/webhooks`);
    await page.getByRole('link', { name: 'API reference' }).last().click();
    await page.locator('[id$="tag/webhooks"]').first().waitFor({ state: 'attached' });
  });
});

describe('events', () => {
  test('appear above the earlier ones as they happen, and stop while they are paused', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { agent_id } = await app.createConversation(page.token, { name: 'Before', instructions: 'Be brief.' });
    const sockets = await cuttableSockets(page, '/graphql');
    await sockets.cut();
    await page.goto('/events');
    const named = (name: string) => page.getByRole('main').getByRole('link', { name });
    await named('Before').waitFor();
    await page.getByText('Connecting').waitFor();
    expect(await page.getByText(/Live since/).count()).toBe(0);
    await app.createAgent(page.token, { name: 'Meanwhile' });
    sockets.heal();
    await page.getByText(/Live since/).waitFor();
    await named('Meanwhile').waitFor();
    // The console also tried event streams.
    app.expectNoFaults(/ERR_CONNECTION_RESET/);
    await app.createAgent(page.token, { name: 'During' });
    await named('During').waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    await app.call('POST', '/v1/rooms', { as: page.token, body: { name: 'Later' } });
    const { body: conversation } = await app.call('POST', '/v1/conversations', { as: page.token, body: { agent_id } });
    await page.getByRole('navigation', { name: 'Conversations' }).locator(`a[href$="${conversation.id}"]`).waitFor();
    expect(await named('Later').count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await named('Later').waitFor();
    expect(await page.getByRole('button', { name: 'agent.created' }).count()).toBe(3);

    await page.getByRole('button', { name: 'agent.created' }).first().click();
    await page.getByLabel('Event', { exact: true }).getByText('"name": "During"').waitFor();
    await page.getByRole('link', { name: 'Catalog' }).click();
    await page.getByText('agent.created').first().waitFor();
  });

  test('link to what they are about', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createAgent(page.token);
    await app.call('PUT', `/v1/agents/${id}`, { as: page.token, body: { instructions: 'You are brief.' } });
    const { body: room } = await app.call('POST', '/v1/rooms', { as: page.token, body: { name: 'Study' } });
    await page.goto('/events');
    const hrefOf = (type: string) =>
      page
        .getByRole('listitem')
        .filter({ has: page.getByRole('button', { name: type, exact: true }) })
        .getByRole('link')
        .first()
        .getAttribute('href');
    expect(await hrefOf('room.created')).toBe(`/rooms/${room.id}`);
    expect(await hrefOf('agent.created')).toBe(`/agents/${id}/edit`);
    expect(await hrefOf('agent.version_created')).toBe(`/agents/${id}/versions`);
  });
});

describe('API keys', () => {
  test('are made from a preset, shown once, rotated and revoked', async () => {
    const page = await app.visitSignedIn('/webhooks');
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    // An empty list has its action once, in its text.
    await page.getByRole('main').getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Reports');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Choose at least one scope.').waitFor();
    await page.getByRole('button', { name: 'Read everything' }).click();
    await page.getByText('Choose at least one scope.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = await page.getByLabel('Key', { exact: true }).innerText();
    await page.goBack();
    expect(await page.getByLabel('Key', { exact: true }).innerText()).toBe(key);
    expect(await page.getByLabel('Command', { exact: true }).innerText()).toContain(`${app.baseUrl}/v1/agents`);
    expect((await app.call('GET', '/v1/agents', { as: key })).status).toBe(200);
    expect((await app.call('POST', '/v1/agents', { as: key, body: {} })).status).toBe(403);
    await page.getByRole('button', { name: 'I have stored it' }).press('Enter');
    await page.getByRole('listitem').getByRole('button', { name: 'Rotate' }).and(page.locator(':focus')).waitFor();
    await page.getByText(/^Created \d/).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Rotate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByLabel('The old key works for').selectOption('0');
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await page.keyboard.press('Control+Shift+O');
    expect(new URL(page.url()).pathname).toBe('/api-keys');
    const next = await page.getByLabel('Key', { exact: true }).innerText();
    await page
      .locator('li')
      .filter({ hasText: next.slice(-4) })
      .waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).press('Enter');
    await page.getByRole('listitem').getByRole('button', { name: 'Rotate' }).and(page.locator(':focus')).waitFor();
    expect((await app.call('GET', '/v1/agents', { as: next })).status).toBe(200);
    const other = { name: 'Elsewhere', scopes: ['agents:read'] };
    const { body: made } = await app.call('POST', '/v1/auth/api-keys', { as: page.token, body: other });
    await page.getByRole('button', { name: 'Revoke' }).last().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    const statuses = await Promise.all(
      [key, next].map(async (as) => (await app.call('GET', '/v1/agents', { as })).status),
    );
    expect(statuses).toContain(401);
    const row = page.getByRole('listitem').filter({ hasText: 'Elsewhere' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await app.call('DELETE', `/v1/auth/api-keys/${made.id}`, { as: page.token });
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
  });
});
