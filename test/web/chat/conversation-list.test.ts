import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

test('a conversation is pinned to the top of the list, archived and unarchived', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  const { id } = await app.createConversation(page.token);
  await app.createConversation(page.token);
  const body = { title: 'Prime numbers' };
  await app.call('PATCH', `/v1/conversations/${id}`, { as: page.token, body });
  await page.goto(`/chat/${id}`);
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Conversation menu' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Pin');
  await page.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Prime numbers' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Prime numbers' }).count()).toBe(1);
  await choose('Archive');
  await page.getByRole('region', { name: 'Pinned' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Archived' }).click();
  await page.getByRole('link', { name: 'Prime numbers' }).first().waitFor();
  await choose('Unarchive');
  await page.getByText('Nothing is archived.').waitFor();
  await page.getByRole('button', { name: 'Archived' }).click();
  await page.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Prime numbers' }).waitFor();
});

test('a search continues after its first page and is limited to an agent, also of another person, which is part of the address', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  const { id } = await app.createConversation(page.token);
  const other = await app.createConversation(page.token, { name: 'Bo', greeting_message: 'A wombat of Bo.' });
  const fields = { name: 'Cleo', greeting_message: 'A wombat of Cleo.', is_public: true };
  const { id: agentId } = await app.createAgent((await app.signUp()).token, fields);
  await app.call('POST', '/v1/conversations', { as: page.token, body: { agent_id: agentId } });
  await app.db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
     select 'msg_' || gen_random_uuid(), c.id, c.user_id, 1 + n, 'user', 'wombat number ' || n, now()
     from conversations c, generate_series(1, 60) n where c.id = $1`,
    [id],
  );
  // Bo is not among the first hundred agents.
  await app.db.query(
    `insert into agents (id, owner_id, name, instructions, model, created_at, updated_at)
     select gen_random_uuid(), c.user_id, 'Agent ' || n, 'x', 'default', now(), now() + interval '1 h'
     from conversations c, generate_series(1, 110) n where c.id = $1`,
    [id],
  );
  await page.goto('/search?q=wombat');
  await page.getByRole('button', { name: 'More' }).click();
  const hits = page.getByRole('main').getByRole('link', { name: /wombat/ });
  await hits.nth(61).waitFor();
  await page.getByLabel('Agent').selectOption({ label: 'Bo' });
  await page.waitForURL(new RegExp(other.agent_id));
  await eventually(async () => (await hits.count()) === 1);
  await page.getByLabel('Agent').selectOption({ label: 'Cleo' });
  await page.getByRole('main').getByRole('link', { name: 'A wombat of Cleo.' }).waitFor();
});

test('conversations are grouped by their age, and a long list is only laid out where it is in view', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  const { agent_id: agentId } = await app.createConversation(page.token);
  const { body } = await app.call('GET', '/dev/clock');
  const now = new Date(body.now);
  const daysAgo = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 12);
  const old = daysAgo(100);
  await app.db.query(
    `insert into conversations (id, user_id, agent_id, title, created_at, updated_at)
     select 'conv_' || gen_random_uuid(), a.owner_id, a.id, g.title, g.at, g.at
     from agents a, unnest($2::text[], $3::timestamptz[]) as g(title, at) where a.id = $1`,
    [
      agentId,
      ['Of yesterday', 'Of this week', ...Array.from({ length: 150 }, (_, index) => `Old ${index}`)],
      [daysAgo(1), daysAgo(5), ...Array.from({ length: 150 }, (_, index) => new Date(old.getTime() - index))],
    ],
  );
  await page.goto('/agents');
  const list = page.getByRole('navigation', { name: 'Conversations' });
  const group = (name: string) => list.getByRole('region', { name, exact: true });
  const month = old.toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
  await group('Today').getByRole('link').waitFor();
  await group('Yesterday').getByRole('link', { name: 'Of yesterday' }).waitFor();
  await group('Last 7 days').getByRole('link', { name: 'Of this week' }).waitFor();
  await group(month).getByRole('link', { name: 'Old 0' }).waitFor();
  const last = list.getByRole('link', { name: 'Old 149' });
  const more = list.getByRole('button', { name: 'More' });
  while ((await more.count()) > 0) {
    const before = await list.getByRole('link').count();
    await more.press('Enter');
    await eventually(async () => (await list.getByRole('link').count()) > before);
  }
  const isLaidOut = () =>
    last.evaluate((link) => link.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }));
  await list.getByRole('link').first().focus();
  await eventually(async () => !(await isLaidOut()));
  await last.focus();
  await eventually(isLaidOut);
});
