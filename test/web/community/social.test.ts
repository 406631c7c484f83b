import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../../support/accessibility.ts';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import { picture } from '../../support/images.ts';
import { holdAnswer } from '../../support/hold-answer.ts';
import { blur } from '../../support/keys.ts';
import { fitsWidth, small } from '../../support/layout.ts';
import { settled } from '../../support/settled.ts';
import { socialOf } from '../../support/social.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const phone = { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

describe('sharing', () => {
  test('a conversation is shared by a link that is shown once, hides its author, and ends when it is revoked', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const agent = { name: 'Ada', instructions: 'Be kind.', greeting_message: 'Hello **you**.', is_public: true };
    const { id } = await app.createConversation(page.token, agent);
    await go(page, `/chat/${id}`);
    await page.getByRole('button', { name: 'Conversation menu' }).click();
    await page.getByRole('menuitem', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title (optional)').fill('Worth reading');
    expect(await dialog.getByLabel('Show my name').isChecked()).toBe(false);
    await dialog.getByRole('button', { name: 'Create a link' }).click();
    const link = await dialog.locator('pre[aria-label=Link]').innerText();
    const path = new URL(link).pathname;
    const visitor = await app.visit(path, phone);
    await visitor.getByRole('heading', { level: 1, name: 'Worth reading' }).waitFor();
    await visitor.getByRole('article', { name: 'Ada' }).getByText('you', { exact: true }).waitFor();
    expect(await visitor.getByText('Shared by').count()).toBe(0);
    expect([await findings(visitor), await visitor.evaluate(fitsWidth), await visitor.evaluate(small)]).toEqual([
      [],
      true,
      [],
    ]);
    const next = encodeURIComponent(path);
    const signIn = visitor.getByRole('link', { name: 'Sign in to continue this conversation' });
    expect(await signIn.getAttribute('href')).toBe(`/sign-in?next=${next}`);
    const reader = await app.visitSignedIn(path);
    await reader.getByRole('button', { name: 'Continue this conversation' }).click();
    await reader.waitForURL(/\/chat\/conv_/);
    await reader.getByText('Hello you.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await go(page, '/settings/sharing');
    const links = page.getByRole('region', { name: 'Links that you shared' });
    await links.getByText('Worth reading').waitFor();
    await links.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await links.getByText('Revoked', { exact: true }).waitFor();
    await visitor.reload();
    await visitor.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    app.expectNoFaults(/^log: ApiError: The resource does not exist/);
  });

  test('a profile is followed, muted and blocked; the settings remove a block and hide the own profile', async () => {
    const other = await socialOf(app).person('bo');
    await app.createAgent(other.token, { name: 'Cook', is_public: true });
    const page = await app.visitSignedIn('/robots.txt');
    await go(page, `/users/${other.name}`);
    await page.getByRole('link', { name: 'Cook' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('button', { name: 'Unfollow' }).waitFor();
    await page.getByRole('button', { name: 'More about this account' }).click();
    await page.getByRole('menuitem', { name: 'Mute' }).click();
    await page.getByRole('button', { name: 'More about this account' }).click();
    await page.getByRole('menuitem', { name: 'Block' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
    await page.waitForURL('**/marketplace');
    await go(page, '/settings/sharing');
    await page.getByRole('button', { name: `Unblock: ${other.name}` }).click();
    await page.getByText('You have not blocked anyone.').waitFor();
    const everyone = page.getByLabel('Everyone can see my profile');
    expect(await everyone.isChecked()).toBe(true);
    await everyone.click();
    await expect.poll(() => everyone.isChecked()).toBe(false);
    const { body } = await app.call('GET', '/v1/social/profile', { as: page.token });
    expect(body.visibility).toBe('hidden');
  });

  test('an agent is shared with a note and a name, in the feed, by a link that is shown once', async () => {
    const owner = await socialOf(app).person('maker');
    const { id } = await app.createAgent(owner.token, { name: 'Cook', description: 'Soups.', is_public: true });
    const page = await app.visitSignedIn('/robots.txt');
    for (const path of [`/explore/${id}`, `/marketplace/${id}`]) {
      await go(page, path);
      await page.getByRole('button', { name: 'Share', exact: true }).waitFor();
    }
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this agent' });
    await expect.poll(() => dialog.getByLabel('Show my name').isChecked()).toBe(true);
    await dialog.getByLabel('Note (optional)').fill('Try the soup.');
    await dialog.getByLabel('Show it in the feeds of my followers').check();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create a link' }).click();
    const link = await dialog.locator('pre[aria-label=Link]').innerText();
    await dialog.getByRole('button', { name: 'Copy link' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await app.call('GET', '/v1/social/shares', { as: page.token });
    expect(body.data).toMatchObject([
      { type: 'agent', note: 'Try the soup.', anonymous: false, in_feed: true, url: null },
    ]);
    const visitor = await app.visit(new URL(link).pathname);
    await visitor.getByRole('heading', { level: 1, name: 'Cook' }).waitFor();
    await visitor.getByText('Try the soup.').waitFor();
    await visitor.getByText('Shared by').waitFor();
    expect(await visitor.getByRole('main').getByText('Cook', { exact: true }).count()).toBe(1);
  });

  test('links without a title are listed by what they lead to', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id, agent_id } = await app.createConversation(page.token, { name: 'Ada', is_public: true });
    for (const body of [
      { type: 'agent', agent_id },
      { type: 'conversation', conversation_id: id },
    ])
      await app.call('POST', '/v1/social/shares', { as: page.token, body });
    await go(page, '/settings/sharing');
    const links = page.getByRole('region', { name: 'Links that you shared' });
    await links.getByText('Ada', { exact: true }).waitFor();
    await links.getByText('Conversation with Ada', { exact: true }).waitFor();
  });

  test('the owner of an agent can share it while it is public, in the editor and by the palette', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const hidden = await app.createAgent(page.token, { name: 'Private' });
    const open = await app.createAgent(page.token, { name: 'Open', is_public: true });
    await go(page, `/agents/${hidden.id}/edit`);
    await page.getByRole('heading', { level: 1, name: 'Private' }).waitFor();
    expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
    await go(page, `/agents/${open.id}/edit`);
    await page.getByRole('button', { name: 'Share', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).fill('share this');
    await page.getByRole('option', { name: 'Share this agent' }).click();
    await page.getByRole('dialog', { name: 'Share this agent' }).waitFor();
  });
});

describe('follows and likes', () => {
  test('followers and followed accounts are listed from a profile, and followed and unfollowed in the list', async () => {
    const social = socialOf(app);
    const [maker, fan, idol] = [await social.person('maker'), await social.person('fan'), await social.person('idol')];
    await social.put(`/social/following/${maker.id}`, fan);
    await social.put(`/social/following/${idol.id}`, maker);
    const page = await app.visitSignedIn('/robots.txt', phone);
    await go(page, `/users/${maker.name}`);
    await page.getByRole('link', { name: '1 follower' }).click();
    const followers = page.getByRole('list', { name: `Followers of ${maker.name}` });
    await followers.getByRole('button', { name: `Follow: ${fan.name}`, exact: true }).click();
    await followers.getByRole('button', { name: `Unfollow: ${fan.name}`, exact: true }).waitFor();
    expect([await findings(page), await page.evaluate(fitsWidth), await page.evaluate(small)]).toEqual([[], true, []]);
    await page.getByRole('link', { name: 'Following', exact: true }).click();
    await page.getByRole('link', { name: idol.name }).waitFor();
    await go(page, '/me/following');
    const mine = page.getByRole('list', { name: 'Following' });
    await mine.getByRole('button', { name: `Unfollow: ${fan.name}`, exact: true }).click();
    // The row stays, so that the change can be undone.
    await mine.getByRole('button', { name: `Follow: ${fan.name}`, exact: true }).waitFor();
    await go(page, '/me/followers');
    await page.getByRole('heading', { name: 'No followers yet' }).waitFor();
    await go(page, '/me/following');
    await page.getByRole('heading', { name: 'You do not follow anyone yet' }).waitFor();
  });

  test('a hidden list of followed accounts is not shown; without an account the lists ask to sign in', async () => {
    const social = socialOf(app);
    const maker = await social.person('maker');
    await social.put('/social/profile', maker, { show_following: false });
    const page = await app.visitSignedIn('/robots.txt');
    await go(page, `/users/${maker.name}/following`);
    await page.getByText('This account does not show whom it follows.').waitFor();
    const visitor = await app.visit(`/users/${maker.name}`);
    await visitor.getByText('0 followers').waitFor();
    expect(await visitor.getByRole('link', { name: '0 followers' }).count()).toBe(0);
    await visitor.goto(`/users/${maker.name}/followers`);
    await visitor.waitForURL(`**/sign-in?next=%2Fusers%2F${maker.name}%2Ffollowers`);
  });

  test('followers are listed in pages of thirty', async () => {
    const social = socialOf(app);
    const maker = await social.person('maker');
    await app.db.query(
      `with fans as (
         insert into users (id, email, username, password_hash, created_at, updated_at)
         select 'usr_' || gen_random_uuid(), 'fan-' || n || '@example.org', 'fan-of-many-' || n, '', now(), now()
         from generate_series(1, 35) n returning id
       ) insert into follows (follower_id, followee_id, created_at) select id, $1, now() from fans`,
      [maker.id],
    );
    const page = await app.visitSignedIn('/robots.txt');
    await go(page, `/users/${maker.name}/followers`);
    const rows = page.getByRole('list', { name: `Followers of ${maker.name}` }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(30);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => rows.count()).toBe(35);
  });

  test('likes are listed in the account menu and can be removed', async () => {
    const social = socialOf(app);
    const maker = await social.person('maker');
    const { id } = await app.createAgent(maker.token, { name: 'Cook', description: 'Soups.', is_public: true });
    const page = await app.visitSignedIn('/chat');
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Likes and follows' }).click();
    await page.getByRole('heading', { name: 'No likes yet' }).waitFor();
    await go(page, `/marketplace/${id}`);
    await page.getByRole('button', { name: 'Like', exact: true }).click();
    await page.getByRole('button', { name: 'Unlike', exact: true }).waitFor();
    await go(page, '/me/likes');
    await page.getByRole('button', { name: 'Unlike: Cook', exact: true }).click();
    await page.getByRole('button', { name: 'Like: Cook', exact: true }).waitFor();
    expect((await app.call('GET', '/v1/social/likes', { as: page.token })).body.total).toBe(0);
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Your profile' }).click();
    await page.waitForURL('**/users/**');
    await page.getByRole('link', { name: '0 followers' }).waitFor();
  });
});

describe('the feed', () => {
  test('suggests agents to a person who follows no one, and says so', async () => {
    const other = await socialOf(app).person('bo');
    await app.createAgent(other.token, { name: 'Baker', is_public: true });
    const page = await app.visitSignedIn('/chat');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Feed' }).click();
    await page.getByText('You do not follow anyone yet.').waitFor();
    const suggestions = page.getByRole('list', { name: 'Suggestions' });
    const suggestion = suggestions.getByRole('link').first();
    const name = await suggestion.innerText();
    expect(await findings(page)).toEqual([]);
    await suggestion.click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  });

  test('pages without repeats, and shows newer items on request', async () => {
    const social = socialOf(app);
    const maker = await social.person('maker');
    await app.db.query(`update users set plan = 'creator' where id = $1`, [maker.id]);
    const page = await app.visitSignedIn('/robots.txt', phone);
    await go(page, `/users/${maker.name}`);
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('button', { name: 'Unfollow' }).waitFor();
    await go(page, '/feed');
    await page.getByRole('heading', { name: 'Nothing new in the last 90 days' }).waitFor();
    expect([await findings(page), await page.evaluate(fitsWidth)]).toEqual([[], true]);
    for (let n = 1; n <= 23; n++) await app.createAgent(maker.token, { name: `Agent ${n}`, is_public: true });
    await page.reload();
    const items = page.getByRole('list', { name: 'Feed' }).getByRole('article');
    await expect.poll(() => items.count()).toBe(20);
    await app.createAgent(maker.token, { name: 'Agent 24', is_public: true });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await expect.poll(() => items.count()).toBe(23);
    const links = items.getByRole('link', { name: /^Agent / });
    expect(await links.allInnerTexts()).toEqual(Array.from({ length: 23 }, (_one, n) => `Agent ${23 - n}`));
    await blur(page);
    await page.keyboard.press('j');
    await expect.poll(() => links.first().evaluate((link) => link === document.activeElement)).toBe(true);
    // A page that becomes visible again requests the count of newer items.
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await page.getByRole('button', { name: '1 newer' }).click();
    await items.first().getByRole('link', { name: 'Agent 24' }).waitFor();
    await expect.poll(() => items.count()).toBe(20);
    await page.getByRole('button', { name: '1 newer' }).waitFor({ state: 'detached' });
    // They replace a further page that is loading.
    await app.createAgent(maker.token, { name: 'Agent 25', is_public: true });
    const further = await holdAnswer(page, 'Feed');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await further.answered;
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await page.getByRole('button', { name: '1 newer' }).click();
    await items.first().getByRole('link', { name: 'Agent 25' }).waitFor();
    await further.release();
    expect(await links.first().innerText()).toBe('Agent 25');
    await settled(page);
    expect([await findings(page), await page.evaluate(fitsWidth), await page.evaluate(small)]).toEqual([[], true, []]);
  });

  test('shows a shared conversation with what its person says, as text', async () => {
    const social = socialOf(app);
    const maker = await social.person('maker');
    const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const { id } = await app.createConversation(maker.token, { name: 'Ada', greeting_message: 'Hello.' });
    const texts = { title: `Title ${markup}`, note: `Note ${markup}` };
    const share = { type: 'conversation', conversation_id: id, anonymous: false, in_feed: true, ...texts };
    await social.share(maker, share);
    const page = await app.visitSignedIn('/robots.txt');
    await social.put(`/social/following/${maker.id}`, { ...maker, token: page.token });
    await go(page, '/feed');
    const item = page.getByRole('article').filter({ hasText: 'shared a conversation' });
    await item.getByText(texts.note).waitFor();
    await item.getByRole('link', { name: texts.title }).click();
    await page.getByRole('heading', { level: 1, name: texts.title }).waitFor();
    await page.getByText(texts.note).waitFor();
    expect(await page.title()).toBe(`${texts.title} · Agent Chat`);
    expect(await page.locator('main img, main script').count()).toBe(0);
  });
});

test('a banner is uploaded, cropped and removed under Sharing, and shown on the profile with the picture', async () => {
  const page = await app.visitSignedIn('/settings/sharing', phone);
  const file = { name: 'hills.png', mimeType: 'image/png', buffer: Buffer.from(await picture(900, 600)) };
  await page.getByLabel('Picture to upload').setInputFiles(file);
  await page.getByRole('button', { name: /The visible part/ }).press('ArrowDown');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Use this part' }).click();
  await page.getByRole('img', { name: 'Banner' }).waitFor();
  const banner = async () => (await app.call('GET', '/v1/social/profile', { as: page.token })).body.banner_url;
  expect(await banner()).toMatch(/\/images\/[\w-]{22}\/large\.webp$/);
  expect([await page.evaluate(fitsWidth), await page.evaluate(small)]).toEqual([true, []]);
  await page.getByRole('link', { name: 'See your profile' }).click();
  await page.getByRole('link', { name: 'Change your profile' }).waitFor();
  await expect
    .poll(() =>
      page
        .locator('main img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(1_536);
  await page.getByRole('link', { name: 'Change your profile' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No banner yet').waitFor();
  expect(await banner()).toBeNull();
});
