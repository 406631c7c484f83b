import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../support/accessibility.ts';
import { type ConsoleApp, go, type SignedInPage, startConsole } from '../support/browser.ts';
import { shareFeedback, useByFive } from '../support/agent-use.ts';
import { pressUntil } from '../support/keys.ts';
import { settled as processed, upload } from '../support/knowledge.ts';
import { fitsWidth, outside, small } from '../support/layout.ts';
import { settled } from '../support/settled.ts';
import { socialOf } from '../support/social.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const forms = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
] as const;
/** 1280 by 1024 pixels at 400 %. */
const zoomed = { width: 320, height: 256 };

const greeting =
  '## Hello\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- [link](https://example.com)';

/** An account with one of everything, and the paths of its screens. */
async function furnish(page: SignedInPage, name: string): Promise<{ paths: string[]; agentId: string }> {
  const as = page.token;
  await app.db.query(`update users set plan = 'plus' where email = $1`, [page.visitor.email]);
  const agent = { name: 'Ada', instructions: 'Be kind.\nBe brief.', greeting_message: greeting, is_public: true };
  const { id, agent_id: agentId } = await app.createConversation(as, agent);
  const call = async (method: string, path: string, body?: object) => (await app.call(method, path, { as, body })).body;
  const post = (path: string, body: object) => call('POST', path, body);
  const studio = `/v1/studio/agents/${agentId}`;
  const draft = await post(`${studio}/versions`, { instructions: 'Be kind.\nBe thorough.', note: 'Thorough' });
  const live = (await app.call('GET', `${studio}/versions`, { as })).body.data[1];
  const variants = [
    { key: 'a', version_id: live.id, weight: 50 },
    { key: 'b', version_id: draft.id, weight: 50 },
  ];
  const experiment = await post(`${studio}/experiments`, { name: 'Thorough or brief', variants });
  await post(`/v1/studio/experiments/${experiment.id}/start`, {});
  await useByFive(app, agentId);
  await shareFeedback(app, agentId);
  const documents = { token: as, userId: '', agentId, documents: `/v1/knowledge/${agentId}/documents` };
  const document = (await upload(app, documents, 'refunds.txt', 'Refunds are paid within five working days.')).body;
  await processed(app, documents, document.id);
  const integration = await post('/v1/integrations/chat_messenger', { agent_id: agentId, bot_token: `any-${name}` });
  const webhook = await post('/v1/webhooks', { url: 'https://hooks.invalid/', events: ['agent.created'] });
  const delivery = await post(`/v1/webhooks/${webhook.id}/test`, {});
  const origins = ['https://example.com'];
  const room = await post('/v1/rooms', { name: 'Kitchen' });
  await post(`/v1/rooms/${room.id}/messages`, { content: 'Hello.' });
  const maker = await socialOf(app).person(`maker-${name}`);
  await app.call('PUT', `/v1/social/following/${maker.id}`, { as });
  await app.createAgent(maker.token, { name: 'Cook', description: 'Cooks with you.', is_public: true });
  const embed = await post('/v1/embeds', { agent_id: agentId, name: 'Shop', allowed_origins: origins });
  await post('/v1/auth/api-keys', { name: 'Reports', scopes: ['agents:read'] });
  const ofAgent = ['edit', 'listing', 'knowledge', `knowledge/${document.id}?chunk=0`].map(
    (path) => `/agents/${agentId}/${path}`,
  );
  const settings = ['profile', 'security', 'sharing', 'reports', 'billing', 'data', 'local', 'preferences'].map(
    (one) => `/settings/${one}`,
  );
  await call('PUT', `/v1/social/likes/${agentId}`);
  await socialOf(app).put(`/social/following/${(await call('GET', '/v1/auth/me')).id}`, maker);
  await app.db.query(
    `insert into moderation_decisions (id, subject_type, subject_id, author_id, action, reason, statement, automated, created_at, updated_at)
     select 'dec_' || gen_random_uuid(), 'agent', $1, id, 'hold', 'spam', 'It only advertises.', true, now(), now()
     from users where email = $2`,
    [agentId, page.visitor.email],
  );
  const foreign = await app.createAgent(maker.token, { name: 'Shop', is_public: true });
  await post('/v1/reports', { subject_type: 'agent', subject_id: foreign.id, reason: 'spam', comment: 'Adverts.' });
  const paths = ['/chat', `/chat/${id}`, '/search?q=hello', '/agents', '/agents/new', ...ofAgent, '/explore'];
  paths.push(
    `/explore/${agentId}`,
    '/marketplace',
    '/marketplace?q=ada',
    '/feed',
    `/marketplace/${(await call('GET', `/v1/marketplace/agents/${foreign.id}`)).slug}`,
    '/me/likes',
    '/me/following',
    '/me/followers',
    `/users/${maker.name}`,
    `/users/${maker.name}/followers`,
    `/users/${maker.name}/following`,
    '/studio',
    '/rooms',
    `/rooms/${room.id}`,
    `/rooms/${room.id}/settings`,
    '/embeds',
    `/embeds/${embed.id}`,
    '/integrations',
    '/integrations?connect=CHAT_SERVER',
  );
  paths.push(`/integrations/${integration.id}`, '/webhooks', `/webhooks/${webhook.id}`, '/events', '/events/catalog');
  paths.push(`/webhooks/${webhook.id}?delivery=${delivery.id}`, '/api-keys', ...settings);
  return { paths, agentId };
}

/** What is wrong with a page as it is shown now. */
async function faultsOf(page: Page, isTouched: boolean): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {
    accessibility: await findings(page),
    animations: await page.evaluate('document.getAnimations().length'),
    fits: await page.evaluate(fitsWidth),
  };
  if (isTouched) return { ...found, smallTargets: await page.evaluate(small) };
  const size = page.viewportSize();
  await page.setViewportSize(zoomed);
  found['outside'] = await page.evaluate(outside);
  found['fitsZoomed'] = await page.evaluate(fitsWidth);
  if (size) await page.setViewportSize(size);
  return found;
}
const desktopFaultless = { accessibility: [], animations: 0, fits: true, outside: [], fitsZoomed: true };
const touchFaultless = { accessibility: [], animations: 0, fits: true, smallTargets: [] };

describe.each(forms)('in $colorScheme at $viewport.width px', (form) => {
  const isTouched = 'hasTouch' in form;

  test('the pages for visitors have no finding, no animation, and nothing outside of the window', async () => {
    const page = await app.visit('/', form);
    for (const path of ['/', '/sign-in', '/sign-up', '/forgot-password', '/reset-password', '/verify-email', '/nope']) {
      await go(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await findings(page), await page.evaluate(fitsWidth)]).toEqual([path, [], true]);
    }
  });

  test('every screen has no finding and no animation, fits the window, at 400 % too, and its targets fit fingers', async () => {
    const page = await app.visitSignedIn('/robots.txt', form);
    const { paths, agentId } = await furnish(page, form.colorScheme);
    const found: Record<string, unknown> = {};
    const faultless = JSON.stringify(isTouched ? touchFaultless : desktopFaultless);
    const check = async (path: string): Promise<void> => {
      await settled(page);
      const faults = await faultsOf(page, isTouched);
      if (JSON.stringify(faults) !== faultless) found[path] = faults;
    };
    for (const path of paths) {
      await go(page, path);
      await page.waitForURL(`**${path}`);
      await check(path);
    }
    await go(page, `/agents/${agentId}/versions`);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('Be thorough.').waitFor();
    await check('versions, compared');
    await go(page, `/agents/${agentId}/experiments`);
    await page.getByText('Too early to tell.').waitFor();
    await check('a running experiment');
    await go(page, `/agents/${agentId}/analytics`);
    await page.getByRole('region', { name: 'Breakdown of the figures' }).waitFor();
    await page.getByText('Show the reply').click();
    await check('figures, with a shared reply open');
    expect(found).toEqual({});
  }, 180_000);

  test('menus, dialogs and the palette have no finding', async () => {
    const page = await app.visitSignedIn('/robots.txt', form);
    const { id } = await app.createConversation(page.token, { name: 'Ada', instructions: 'You are a tutor.' });
    await page.goto(`/chat/${id}`);
    await page.getByRole('button', { name: 'Conversation menu' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    // A menu is a layer at the end of the page, outside of its landmarks.
    expect(await findings(page, ['region'])).toEqual([]);
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: /^Find/ }).waitFor({ state: 'detached' });
    await pressUntil(page, '?', page.getByRole('dialog', { name: 'Keyboard' }));
    expect([await findings(page), await page.evaluate(fitsWidth)]).toEqual([[], true]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'detached' });
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await findings(page, ['region'])).toEqual([]);
  });
});
