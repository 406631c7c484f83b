import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { holdAnswer } from '../../support/hold-answer.ts';
import { refuseOnce } from '../../support/refuse-once.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const agent = { name: 'Ada', instructions: 'You are a tutor.' };

describe('the event catalog', () => {
  test('leads from a type to its example, also by its address', async () => {
    const page = await app.visitSignedIn('/events/catalog');
    const section = page.getByRole('region', { name: 'message.failed' });
    await page.getByRole('list', { name: 'Event types' }).getByRole('link', { name: 'message.failed' }).click();
    const inView = () =>
      eventually(async () => {
        const box = await section.boundingBox();
        return box !== null && box.y >= 0 && box.y < 400;
      });
    await inView();
    expect(page.url()).toBe(`${app.baseUrl}/events/catalog#message.failed`);
    await page.reload();
    await inView();
  });
});

describe('a list', () => {
  test('of one embed offers no further page', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createAgent(page.token, agent);
    const body = { agent_id: id, name: 'Shop', allowed_origins: ['https://example.com'] };
    const { body: embed } = await app.call('POST', '/v1/embeds', { as: page.token, body });
    await page.goto('/embeds');
    await page.getByRole('link', { name: 'Shop' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.goto(`/embeds/${embed.id}`);
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });
});

describe('the button to create something', () => {
  test('appears once, when it is known where it belongs, and also when the list cannot be loaded', async () => {
    const page = await app.visitSignedIn('/agents');
    const held = await holdAnswer(page, 'Webhooks');
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await held.answered;
    const button = page.getByRole('button', { name: 'New webhook' });
    expect(await button.count()).toBe(0);
    await held.release();
    await button.focus();
    expect(await button.count()).toBe(1);
    await refuseOnce(page, 'query ApiKeys');
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByText('Not now.').waitFor();
    await page.getByRole('button', { name: 'New key' }).waitFor();
  });
});

describe('a dialog', () => {
  test('focuses its first field, or itself when it has none', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await app.createAgent(page.token, agent);
    await page.goto('/integrations');
    await page.getByRole('button', { name: 'Connect Telegram' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Agent' }).and(page.locator(':focus')).waitFor();
    await page.goto('/agents');
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).and(page.locator(':focus')).waitFor();
  });
});

describe('an agent of another person', () => {
  test('is shown with its greeting as it will be in the chat', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const fields = { ...agent, is_public: true, greeting_message: 'I am **patient**.' };
    const { id } = await app.createAgent(page.token, fields);
    await page.goto(`/explore/${id}`);
    await page.locator('blockquote strong').getByText('patient').waitFor();
    await page.getByRole('link', { name: 'Start a chat' }).click();
    await page.waitForURL(/\/chat\?/);
    await page.getByRole('main').locator('strong').getByText('patient').waitFor();
  });
});

test('relative times and the expiry of a new key follow the service’s clock, which the local profile can move; times age while they are shown', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  await page.clock.install();
  await app.call('POST', '/dev/clock', { body: { seconds: 1_800 } });
  await app.createAgent(page.token, agent);
  await page.goto('/agents');
  await page.getByRole('main').getByText('just now').waitFor();
  await page.clock.fastForward(120_000);
  await page
    .getByRole('main')
    .getByText(/^\d minutes ago$/)
    .waitFor();
  await go(page, '/api-keys');
  await page.getByRole('button', { name: 'New key' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Reports');
  await page.getByRole('button', { name: 'Read everything' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'I have stored it' }).waitFor();
  const { body } = await app.call('GET', '/v1/auth/api-keys', { as: page.token });
  const [{ created_at, expires_at }] = body.data;
  const minutes = (Date.parse(expires_at) - Date.parse(created_at)) / 60_000;
  expect(Math.abs(minutes - 90 * 24 * 60)).toBeLessThan(10);
});
