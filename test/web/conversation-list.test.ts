import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';

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

test('a search continues after its first page and is limited to an agent, which is part of the address', async () => {
  const page = await app.visitSignedIn('/robots.txt');
  const { id } = await app.createConversation(page.token);
  const other = await app.createConversation(page.token, { name: 'Bo', greeting_message: 'A wombat of Bo.' });
  await app.db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
     select 'msg_' || gen_random_uuid(), c.id, c.user_id, 1 + n, 'user', 'wombat number ' || n, now()
     from conversations c, generate_series(1, 60) n where c.id = $1`,
    [id],
  );
  await page.goto('/search?q=wombat');
  await page.getByRole('button', { name: 'More' }).click();
  const hits = page.getByRole('main').getByRole('link', { name: /wombat/ });
  await hits.nth(60).waitFor();
  await page.getByLabel('Agent').selectOption({ label: 'Bo' });
  await page.waitForURL(new RegExp(other.agent_id));
  await eventually(async () => (await hits.count()) === 1);
});
