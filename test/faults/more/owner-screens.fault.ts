import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ConsoleApp, startConsole } from '../../support/browser.ts';
import { type BreakingProxy, type ProxyMode, startBreakingProxy } from '../../support/breaking-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';

let app: ConsoleApp;
let proxy: BreakingProxy;
beforeEach(() => proxy.setMode('pass'));
beforeAll(async () => {
  app = await startConsole();
  proxy = await startBreakingProxy(app.baseUrl);
});
afterAll(async () => {
  await proxy.close();
  await app.close();
});

const screens: readonly (readonly [path: string, whole: string | RegExp])[] = [
  ['/integrations', 'Ada'],
  ['/webhooks', 'hooks.invalid'],
  ['/events', 'Ada'],
  ['/api-keys', 'Reports'],
  ['/settings/security', 'Account created'],
  ['/settings/billing', 'Free of charge.'],
];

test('an owner screen shows why it is empty and how to try again, and then what it lost', async (context) => {
  const page = await app.visitSignedIn('/robots.txt');
  const post = async (path: string, body: object) => (await app.call('POST', path, { as: page.token, body })).body;
  const agent = await app.createAgent(page.token, { name: 'Ada', instructions: 'You are a tutor.' });
  await post('/v1/integrations/chat_messenger', { agent_id: agent.id, bot_token: 'any' });
  const webhook = await post('/v1/webhooks', { url: 'https://hooks.invalid/', events: ['agent.updated'] });
  await post('/v1/auth/api-keys', { name: 'Reports', scopes: ['agents:read'] });
  const all = [...screens, [`/webhooks/${webhook.id}`, 'Nothing sent yet.'] as const];
  const modes: ProxyMode[] = ['refuse', 'cut'];
  let times = 0;
  for (let round = 0; round < countOf({ quick: 1, long: 2 }); round++) {
    for (const [index, [path, whole]] of all.entries()) {
      await page.goto(`${proxy.baseUrl}/settings/preferences`);
      await page.getByRole('heading', { level: 1, name: 'Preferences' }).waitFor();
      proxy.setMode(modes[(index + round) % 2] ?? 'cut');
      await page.evaluate(`history.pushState({}, '', '${path}')`);
      const retry = page.getByRole('main').getByRole('button', { name: 'Try again' });
      await retry.first().waitFor();
      expect([path, await page.getByRole('main').getByRole('alert').first().innerText()]).toEqual([
        path,
        expect.stringMatching(/not available right now|can’t be reached/),
      ]);
      proxy.setMode('pass');
      // Parts of a screen fail independently, and each has its own retry.
      await eventually(async () => {
        if ((await retry.count()) === 0) return true;
        await retry
          .first()
          .click({ timeout: 1_000 })
          .catch(() => undefined);
        return false;
      });
      await page.getByRole('main').getByText(whole).first().waitFor();
      times += 1;
    }
  }
  report(context, { times: `${times} screens`, checked: 'the reason, the way back, the content' });
});

test('a form that the service refuses keeps what was typed and is sent once', async (context) => {
  const page = await app.visitSignedIn('/robots.txt');
  await page.goto(`${proxy.baseUrl}/webhooks`);
  await page.getByRole('button', { name: 'New webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('https://hooks.invalid/orders');
  await dialog.getByRole('checkbox', { name: 'agent.*' }).check();
  proxy.setMode('refuse');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  proxy.setMode('pass');
  expect(await dialog.getByLabel('URL').inputValue()).toBe('https://hooks.invalid/orders');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.locator('pre[aria-label=Secret]').waitFor();
  expect((await app.call('GET', '/v1/webhooks', { as: page.token })).body.total).toBe(1);
  report(context, { times: '1 refusal', checked: '1 form, 1 webhook' });
});
