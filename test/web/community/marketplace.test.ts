import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../../support/accessibility.ts';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import { holdAnswer } from '../../support/hold-answer.ts';
import { picture } from '../../support/images.ts';
import { fitsWidth, small } from '../../support/layout.ts';
import { establish } from '../../support/moderators.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const about = '## Openings\n\n<b>Bold?</b>\n\n- *tactics*';

/** Creates a public agent of an account with a listing. */
async function list(token: string, name: string, listing: object = {}): Promise<{ id: string; slug: string }> {
  const agent = { name, description: `${name} for everyone.`, instructions: 'Teach chess.', category: 'coach' };
  const { id } = await app.createAgent(token, { ...agent, is_public: true });
  const body = { about, starters: ['Show me a fork.'], tags: ['chess'], language: 'en', ...listing };
  const { slug } = (await app.call('PUT', `/v1/agents/${id}/listing`, { as: token, body })).body;
  return { id, slug };
}

/** Sends the five messages to an agent that a review requires. */
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
    const { slug } = await list(owner.token, 'Xiangqi Coach', { tags: ['xiangqi'] });
    await list(owner.token, 'Cook', { tags: ['food'] });
    const page = await app.visit('/marketplace');
    await page.getByRole('region', { name: 'New' }).getByRole('link', { name: 'Xiangqi Coach' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Find an agent' }).fill('xiangqi');
    await page.waitForURL('**/marketplace?q=xiangqi');
    const found = page.getByRole('region', { name: 'Agents found' });
    await found.getByRole('link', { name: 'Xiangqi Coach' }).waitFor();
    await expect.poll(() => found.getByRole('article').count()).toBe(1);
    expect(await page.getByLabel('Order').inputValue()).toBe('RELEVANCE');
    await found.getByRole('link', { name: 'Xiangqi Coach' }).click();
    await page.waitForURL(`**/marketplace/${slug}`);
    await page.getByRole('heading', { level: 1, name: 'Xiangqi Coach' }).waitFor();
    // HTML is shown as text.
    await page.getByText('<b>Bold?</b>').waitFor();
    await page.getByRole('link', { name: '#xiangqi' }).click();
    await expect.poll(() => found.getByRole('link', { name: 'Xiangqi Coach' }).count()).toBe(1);
    await go(page, `/marketplace/${slug}`);
    await page.getByRole('link', { name: 'Sign in to like, review or copy it.' }).click();
    await page.waitForURL(`**/sign-in?next=%2Fmarketplace%2F${slug}`);
  });

  test('is browsed by language; a page states the language of its agent and that it is a copy', async () => {
    const owner = await app.signUp();
    const original = await list(owner.token, 'Skat Coach', { language: 'de' });
    const copy = (await app.call('POST', `/v1/agents/${original.id}/copy`, { as: owner.token })).body;
    await app.call('PUT', `/v1/agents/${copy.id}`, {
      as: owner.token,
      body: { name: 'Belote Coach', is_public: true },
    });
    await app.call('PUT', `/v1/agents/${copy.id}/listing`, { as: owner.token, body: { language: 'br' } });
    const page = await app.visit('/marketplace');
    await page.getByLabel('Language').selectOption('Breton');
    await page.waitForURL('**/marketplace?language=br');
    const found = page.getByRole('region', { name: 'Agents found' });
    await found.getByRole('link', { name: 'Belote Coach' }).waitFor();
    await expect.poll(() => found.getByRole('article').count()).toBe(1);
    expect(await findings(page)).toEqual([]);
    await found.getByRole('link', { name: 'Belote Coach' }).click();
    await page.getByText('Breton', { exact: true }).waitFor();
    await page.getByText('a copy of another agent').waitFor();
    await go(page, `/marketplace/${original.slug}`);
    await page.getByText('German', { exact: true }).waitFor();
    expect(await page.getByText('a copy of another agent').count()).toBe(0);
    await go(page, '/marketplace?language=zz');
    await page.getByRole('region', { name: 'New' }).waitFor();
    expect(await page.getByLabel('Language').inputValue()).toBe('');
  });

  test('shows in its field what a link or the way back searches for', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    for (const path of ['/marketplace', '/explore', '/search']) {
      const field = page.getByRole('searchbox').first();
      await go(page, `${path}?q=chess`);
      await expect.poll(() => field.inputValue()).toBe('chess');
      await go(page, `${path}?q=cook`);
      await expect.poll(() => field.inputValue()).toBe('cook');
      await page.goBack();
      await expect.poll(() => field.inputValue()).toBe('chess');
      await field.fill('chess club');
      await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'chess club');
      expect(await field.inputValue()).toBe('chess club');
    }
  });

  test('opens a result that is clicked before the search for what was typed last has begun', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await list(page.token, 'Senet Coach');
    const { id: conversation } = await app.createConversation(page.token, { greeting_message: 'Senet is a game.' });
    for (const [path, operation, opened] of [
      ['/marketplace?q=senet', 'Listing', /\/marketplace\/senet-coach/],
      ['/explore?q=senet', 'ExploredAgent', new RegExp(`/explore/${id}$`)],
      ['/search?q=senet', 'Conversation', new RegExp(`/chat/${conversation}\\?`)],
    ] as const) {
      await go(page, path);
      const result = page.getByRole('main').getByRole('link', { name: /Senet/ }).first();
      await result.waitFor();
      const answer = await holdAnswer(page, operation);
      await page.getByRole('searchbox').first().fill('senet c');
      await result.evaluate((link: HTMLElement) => link.click());
      await answer.answered;
      // Longer than the pause in typing after which a search begins.
      await page.evaluate('new Promise((done) => setTimeout(done, 400))');
      await answer.release();
      await page.waitForURL(opened);
    }
  });

  test('a starter begins a chat; likes, reviews, reports and copies are created and removed on the page', async () => {
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
    const read = await holdAnswer(page, 'Listing');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await read.answered;
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Unlike' }).click();
    await page.getByRole('button', { name: 'Like', exact: true }).waitFor();
    await read.release();
    expect(await page.getByRole('button', { name: 'Unlike' }).count()).toBe(0);
    const review = page.getByRole('article', { name: /^Review of / });
    await review.getByText('Clear.').waitFor();
    await review.getByText('4 stars').waitFor();
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').selectOption('Deceptive, or claims to be someone else');
    expect(await findings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Send the report' }).click();
    await page.getByText('Thank you. Moderators will review it.').waitFor();
    const { body } = await app.call('GET', '/v1/reports', { as: page.token });
    expect(body.data).toMatchObject([{ subject_id: id, reason: 'deception' }]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No reviews yet.').waitFor();
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
    await item.getByLabel('The owner’s reply').fill('Say “slower”.');
    await item.getByRole('button', { name: 'Save' }).click();
    await item.getByRole('blockquote').getByText('Say “slower”.').waitFor();
  });
});

const isDrawn = (canvas: HTMLCanvasElement): boolean =>
  canvas.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3] === 255;

describe('the listing of an own agent', () => {
  test('is written with errors at its fields, published and made private on one page', async () => {
    const other = await app.signUp();
    const { slug: taken } = await list(other.token, 'Chess Coach', { slug: `taken-${other.id.slice(-8)}` });
    const page = await app.visitSignedIn('/robots.txt');
    const agent = await app.createAgent(page.token, { name: 'Fork Finder', description: 'Finds forks.' });
    await go(page, `/agents/${agent.id}/edit`);
    await page.getByRole('link', { name: 'Listing', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Listing of Fork Finder' }).waitFor();
    const state = page.getByRole('region', { name: 'State' });
    await state.getByText('Private', { exact: true }).waitFor();
    const slug = page.getByLabel('Name in the URL (slug)');
    await slug.fill(taken);
    await page.getByText(`/marketplace/${taken}`).waitFor();
    await page.getByLabel('About').fill('Forks, *pins* and <b>more</b>.');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    expect(await preview.locator('em').innerText()).toBe('pins');
    await preview.getByText('<b>more</b>').waitFor();
    await page.getByLabel('Start with').fill('Show me a fork.\n\nAnother one.');
    await page.getByLabel('Tags').fill('Chess, tactics');
    await page.getByLabel('Language').selectOption('de');
    await page.getByLabel('Audience').selectOption('MATURE');
    await page.getByText('Hidden from lists').waitFor();
    await page.getByLabel('Others may copy this agent').check();
    await page.getByText('Everyone can read its instructions on its page.').waitFor();
    expect(await findings(page)).toEqual([]);
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await page.getByText('This slug is taken.').waitFor();
    await expect.poll(() => slug.evaluate((field) => field === document.activeElement)).toBe(true);
    const own = `forks-${other.id.slice(-8)}`;
    await slug.fill(own);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    const { body } = await app.call('GET', `/v1/agents/${agent.id}/listing`, { as: page.token });
    expect(body).toMatchObject({
      slug: own,
      about: 'Forks, *pins* and <b>more</b>.',
      starters: ['Show me a fork.', 'Another one.'],
      tags: ['chess', 'tactics'],
      language: 'de',
      content_rating: 'mature',
      allow_copies: true,
      status: 'unlisted',
    });
    await state.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Make this agent public?' });
    await dialog.getByRole('group', { name: 'As others see it' }).getByText('Finds forks.').waitFor();
    await dialog.getByText('Do not put secrets in them.').waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make public' }).click();
    await state.getByText('In the marketplace', { exact: true }).waitFor();
    await state.getByText(`${app.baseUrl}/marketplace/${own}`).waitFor();
    const visitor = await app.visit(`/marketplace/${own}`);
    await visitor.getByRole('heading', { level: 1, name: 'Fork Finder' }).waitFor();
    await state.getByRole('button', { name: 'Make private' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make private' }).click();
    await state.getByText('Private', { exact: true }).waitFor();
    expect((await app.send('GET', `/marketplace/${own}`, { headers: { accept: 'text/html' } })).status).toBe(404);
    // Another device publishes it.
    await app.call('PUT', `/v1/agents/${agent.id}`, { as: page.token, body: { is_public: true } });
    await state.getByText('In the marketplace', { exact: true }).waitFor();
  });

  test('keeps what is typed until it is saved, and has a banner that is uploaded, chosen again and removed', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await list(page.token, 'Chess Coach');
    await page.goto(`/agents/${id}/listing`);
    await page.getByLabel('About').fill('Half a sentence');
    await page.reload();
    await expect.poll(() => page.getByLabel('About').inputValue()).toBe('Half a sentence');
    await page.getByText('Unsaved changes.').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => page.getByLabel('About').inputValue()).toBe(about);
    const file = { name: 'board.png', mimeType: 'image/png', buffer: Buffer.from(await picture(1_200, 800)) };
    await page.getByLabel('Picture to upload').setInputFiles(file);
    // Wait until the picture is drawn before moving the crop area.
    await expect.poll(() => page.locator('canvas').evaluate(isDrawn)).toBe(true);
    await page.getByRole('button', { name: 'Use this part' }).click();
    const banner = page.getByRole('img', { name: 'Banner' });
    await banner.waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No banner yet').waitFor();
    await page.getByRole('button', { name: 'Generate or choose a banner' }).click();
    await page.getByRole('button', { name: 'Use: Uploaded picture' }).click();
    await banner.waitFor();
    await expect.poll(() => banner.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1_536);
  });

  test.each([
    ['in_review', 'In review', 'A moderator reviews it before others can find it.'],
    ['held', 'Held', 'is hidden from lists until a moderator has reviewed it'],
    ['removed', 'Removed', 'Removed by a moderator; only you can see it.'],
  ])('says what %s means and what to do', async (moderation, word, meaning) => {
    const touched = {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    } as const;
    const page = await app.visitSignedIn('/robots.txt', touched);
    const { id } = await list(page.token, 'Chess Coach');
    await app.db.query(`update agents set moderation_state = $2 where id = $1`, [id, moderation]);
    await page.goto(`/agents/${id}/listing`);
    const state = page.getByRole('region', { name: 'State' });
    await state.getByText(word, { exact: true }).waitFor();
    await state.getByText(meaning).waitFor();
    const decision = moderation === 'in_review' ? 0 : 1;
    expect(await state.getByRole('link', { name: 'decision' }).count()).toBe(decision);
    expect([await findings(page), await page.evaluate(fitsWidth), await page.evaluate(small)]).toEqual([[], true, []]);
  });
});
