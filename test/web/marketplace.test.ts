import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../support/accessibility.ts';
import { type ConsoleApp, go, startConsole } from '../support/browser.ts';
import { establish } from '../support/moderators.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const about = '## Openings\n\n<b>Bold?</b>\n\n- *tactics*';

/** A public agent of an account, with a listing. */
async function list(token: string, name: string, listing: object = {}): Promise<{ id: string; slug: string }> {
  const agent = { name, description: `${name} for everyone.`, instructions: 'Teach chess.', category: 'coach' };
  const { id } = await app.createAgent(token, { ...agent, is_public: true });
  const body = { about, starters: ['Show me a fork.'], tags: ['chess'], language: 'en', ...listing };
  const { slug } = (await app.call('PUT', `/v1/agents/${id}/listing`, { as: token, body })).body;
  return { id, slug };
}

/** Five messages of an account with an agent, which a review needs. */
async function talk(token: string, agentId: string): Promise<void> {
  const { body } = await app.call('POST', '/v1/conversations', { as: token, body: { agent_id: agentId } });
  await app.db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
     select 'msg_' || gen_random_uuid(), c.id, c.user_id, 100 + n, 'user', 'Hello', now()
     from conversations c, generate_series(1, 5) n where c.id = $1`,
    [body.id],
  );
}

describe('the marketplace', () => {
  test('is read and searched without an account; a link of it leads back after signing in', async () => {
    const owner = await app.signUp();
    const { slug } = await list(owner.token, 'Chess Coach');
    await list(owner.token, 'Cook', { tags: ['food'] });
    const page = await app.visit('/marketplace');
    await page.getByRole('region', { name: 'New' }).getByRole('link', { name: 'Chess Coach' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Find an agent' }).fill('chess');
    await page.waitForURL('**/marketplace?q=chess');
    const found = page.getByRole('region', { name: 'Agents found' });
    await found.getByRole('link', { name: 'Chess Coach' }).waitFor();
    await expect.poll(() => found.getByRole('article').count()).toBe(1);
    expect(await page.getByLabel('Order').inputValue()).toBe('RELEVANCE');
    await found.getByRole('link', { name: 'Chess Coach' }).click();
    await page.waitForURL(`**/marketplace/${slug}`);
    await page.getByRole('heading', { level: 1, name: 'Chess Coach' }).waitFor();
    // HTML is text.
    await page.getByText('<b>Bold?</b>').waitFor();
    await page.getByRole('link', { name: '#chess' }).click();
    await expect.poll(() => found.getByRole('link', { name: 'Chess Coach' }).count()).toBe(1);
    await go(page, `/marketplace/${slug}`);
    await page.getByRole('link', { name: 'Sign in to like, review or copy it.' }).click();
    await page.waitForURL(`**/sign-in?next=%2Fmarketplace%2F${slug}`);
  });

  test('a starter begins a chat; likes, reviews, reports and copies are made and taken back on the page', async () => {
    const owner = await app.signUp();
    const { id, slug } = await list(owner.token, 'Chess Coach', { allow_copies: true });
    const page = await app.visitSignedIn('/robots.txt');
    await talk(page.token, id);
    await go(page, `/marketplace/${id}`);
    await page.waitForURL(`**/marketplace/${slug}`);
    await page.getByRole('button', { name: 'Like', exact: true }).click();
    await page.getByText('1 like', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Unlike' }).waitFor();
    await page.getByRole('button', { name: 'Write a review' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('4 stars').check();
    await dialog.getByLabel('What would you tell others?').fill('Clear.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const review = page.getByRole('article', { name: /^Review of / });
    await review.getByText('Clear.').waitFor();
    await review.getByText('4 stars').waitFor();
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').selectOption('It deceives, or claims to be someone else');
    expect(await findings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Send the report' }).click();
    await page.getByText('Thank you. Moderators will look at it.').waitFor();
    const { body } = await app.call('GET', '/v1/reports', { as: page.token });
    expect(body.data).toMatchObject([{ subject_id: id, reason: 'deception' }]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No review yet.').waitFor();
    await page.getByRole('button', { name: 'Copy this agent' }).click();
    await page.waitForURL('**/agents/*/edit');
    await go(page, `/marketplace/${slug}`);
    await page.getByRole('button', { name: 'Show me a fork.' }).click();
    await page.waitForURL(/\/chat\/conv_/);
    await page.getByRole('article', { name: 'You' }).filter({ hasText: 'Show me a fork.' }).waitFor();
  });

  test('shows the owner’s reply to a review', async () => {
    const reader = await app.signUp();
    await establish(app, [reader]);
    const page = await app.visitSignedIn('/robots.txt');
    const { id, slug } = await list(page.token, 'Chess Coach');
    await talk(reader.token, id);
    const review = { rating: 2, text: 'Too fast.' };
    await app.call('PUT', `/v1/marketplace/agents/${id}/review`, { as: reader.token, body: review });
    await go(page, `/marketplace/${slug}`);
    const item = page.getByRole('article', { name: /^Review of / });
    await item.getByRole('button', { name: 'Reply', exact: true }).click();
    await item.getByLabel('Reply of the owner').fill('Say “slower”.');
    await item.getByRole('button', { name: 'Save' }).click();
    await item.getByRole('blockquote').getByText('Say “slower”.').waitFor();
  });
});
