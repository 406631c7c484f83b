import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../src/app/features.ts';
import { type ConsoleApp, type SignedInPage, shareConsole } from '../support/browser.ts';
import { pathWithCurl } from '../support/curl.ts';
import { settled as processed, upload } from '../support/knowledge.ts';
import { settled } from '../support/settled.ts';
import { socialOf } from '../support/social.ts';

const run = promisify(execFile);

let app: ConsoleApp;
let page: SignedInPage;
let screens: Screen[];
beforeAll(async () => {
  app = await shareConsole();
  page = await app.staySignedIn();
  screens = await furnish();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

interface Screen {
  path: string;
  heading: string;
  /** Where the command of "The same with the API" is, other than at the foot. */
  command?: 'menu' | 'header' | 'none';
}

/** Every screen of an account that has one of everything. */
async function furnish(): Promise<Screen[]> {
  const as = page.token;
  const post = async (path: string, body: object) => (await app.call('POST', path, { as, body })).body.id as string;
  const fields = { name: 'Ada', instructions: 'Be kind.', greeting_message: 'Hello.', is_public: true };
  const { id: conversation, agent_id: agent } = await app.createConversation(as, fields);
  await app.call('PATCH', `/v1/conversations/${conversation}`, { as, body: { title: 'Numbers' } });
  const place = { token: as, userId: '', agentId: agent, documents: `/v1/knowledge/${agent}/documents` };
  const { id: document } = (await upload(app, place, 'refunds.txt', 'Refunds are paid within five days.')).body;
  await processed(app, place, document);
  const integration = await post('/v1/integrations/chat_messenger', { agent_id: agent, bot_token: 'any' });
  const webhook = { url: 'https://hooks.invalid/', description: 'Orders', events: ['agent.created'] };
  const hook = await post('/v1/webhooks', webhook);
  const room = await post('/v1/rooms', { name: 'Kitchen' });
  const maker = await socialOf(app).person('maker');
  const origins = ['https://example.com'];
  const { username } = (await app.call('GET', '/v1/auth/me', { as })).body;
  const embed = await post('/v1/embeds', { agent_id: agent, name: 'Shop', allowed_origins: origins });
  return [
    { path: '/chat', heading: 'New chat', command: 'header' },
    { path: `/chat/${conversation}`, heading: 'Numbers', command: 'menu' },
    { path: '/search', heading: 'Search' },
    { path: '/rooms', heading: 'Rooms' },
    { path: `/rooms/${room}`, heading: 'Kitchen', command: 'header' },
    { path: `/rooms/${room}/settings`, heading: 'Settings of Kitchen' },
    { path: '/agents', heading: 'Agents' },
    { path: '/agents/new', heading: 'New agent' },
    { path: `/agents/${agent}/edit`, heading: 'Ada' },
    { path: `/agents/${agent}/knowledge`, heading: 'Knowledge of Ada' },
    { path: `/agents/${agent}/knowledge/${document}`, heading: 'refunds.txt' },
    { path: `/agents/${agent}/listing`, heading: 'Listing of Ada' },
    { path: `/agents/${agent}/versions`, heading: 'Versions of Ada' },
    { path: `/agents/${agent}/experiments`, heading: 'Experiments with Ada' },
    { path: `/agents/${agent}/analytics`, heading: 'Analytics of Ada' },
    { path: '/studio', heading: 'Analytics' },
    { path: '/explore', heading: 'Explore' },
    { path: `/explore/${agent}`, heading: 'Ada' },
    { path: '/marketplace', heading: 'Marketplace' },
    { path: `/marketplace/${agent}`, heading: 'Ada' },
    { path: '/feed', heading: 'Feed' },
    { path: `/users/${username}`, heading: username },
    { path: '/me/likes', heading: 'Likes' },
    { path: '/me/following', heading: 'Following' },
    { path: '/me/followers', heading: 'Followers' },
    { path: `/users/${maker.name}`, heading: maker.name },
    { path: `/users/${maker.name}/followers`, heading: `Followers of ${maker.name}` },
    { path: `/users/${maker.name}/following`, heading: `Followed by ${maker.name}` },
    { path: '/embeds', heading: 'Embeds' },
    { path: `/embeds/${embed}`, heading: 'Shop' },
    { path: '/integrations', heading: 'Integrations' },
    { path: `/integrations/${integration}`, heading: 'Ada on Telegram' },
    { path: '/webhooks', heading: 'Webhooks' },
    { path: `/webhooks/${hook}`, heading: 'Orders' },
    { path: '/events', heading: 'Events' },
    { path: '/events/catalog', heading: 'Event catalog' },
    { path: '/api-keys', heading: 'API keys' },
    { path: '/settings/profile', heading: 'Profile' },
    { path: '/settings/security', heading: 'Security' },
    { path: '/settings/sharing', heading: 'Sharing' },
    { path: '/settings/reports', heading: 'Reports and decisions' },
    { path: '/settings/billing', heading: 'Billing' },
    { path: '/settings/data', heading: 'Data' },
    { path: '/settings/preferences', heading: 'Preferences' },
    // What it moves and shows is simulated: there is no API for it.
    { path: '/settings/local', heading: 'Local profile', command: 'none' },
  ];
}

const sameApi = 'The same with the API';

/** The command that a screen shows. */
async function commandOf(command: Screen['command']): Promise<string> {
  if (command === 'menu') {
    await page.getByRole('button', { name: 'Conversation menu' }).click();
    await page.getByRole('menuitem', { name: sameApi }).click();
  } else await page.getByRole('button', { name: sameApi }).click();
  return page.locator('pre[aria-label=Command]').innerText();
}

test('every screen opens cold with its own heading and title, and shows a command of the API that works as it is copied', async () => {
  const found: Record<string, unknown> = {};
  const commands = new Map<string, string>();
  for (const { path, heading, command } of screens) {
    const response = await page.goto(path);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor({ state: 'attached' });
    await settled(page);
    const shown = [response?.status(), await page.getByRole('heading', { level: 1 }).count(), await page.title()];
    if (JSON.stringify(shown) !== JSON.stringify([200, 1, `${heading} · Agent Chat`])) found[path] = shown;
    if (command !== 'none') commands.set(path, await commandOf(command));
  }
  const key = { name: 'Everything', scopes: catalog.scopes };
  const { body } = await app.call('POST', '/v1/auth/api-keys', { as: page.token, body: key });
  const env = { ...process.env, PATH: await pathWithCurl(), KEY: body.key };
  for (const [path, command] of commands) {
    const { stdout } = await run('sh', ['-c', `${command} -sS`], { env });
    if (stdout === '' || /^\{"errors?":/.test(stdout)) found[path] = `${command}\n${stdout}`;
  }
  expect(found).toEqual({});
}, 300_000);
