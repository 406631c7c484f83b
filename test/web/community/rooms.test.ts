import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findings } from '../../support/accessibility.ts';
import { type ConsoleApp, go, type SignedInPage, shareConsole } from '../../support/browser.ts';

let app: ConsoleApp;
let owner: SignedInPage;
let guest: SignedInPage;
beforeAll(async () => {
  app = await shareConsole();
  [owner, guest] = await Promise.all([app.staySignedIn(), app.staySignedIn()]);
  for (const name of ['Ada', 'Bo'])
    await app.createAgent(owner.token, { name, instructions: `You are ${name}.`, is_public: true });
  await Promise.all([go(owner, '/rooms'), go(guest, '/rooms')]);
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const thread = (page: Page) => page.getByRole('log', { name: 'Messages' });
const said = (page: Page, author: string, text: string) =>
  thread(page).getByRole('article', { name: author, exact: true }).filter({ hasText: text });
const usernameOf = async (page: SignedInPage): Promise<string> =>
  (await app.call('GET', '/v1/auth/me', { as: page.token })).body.username;

test('two people use a room: one creates it and invites, both see what is written, and an agent replies to both at once', async () => {
  const [host, friend] = await Promise.all([usernameOf(owner), usernameOf(guest)]);
  await owner.getByRole('heading', { name: 'You have not joined a room yet' }).waitFor();
  await owner.getByRole('button', { name: 'New room' }).first().click();
  const dialog = owner.getByRole('dialog', { name: 'New room' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Trip to Rome');
  await dialog.getByRole('checkbox', { name: 'Ada' }).check();
  await dialog.getByRole('checkbox', { name: 'Bo' }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await owner.getByRole('heading', { level: 1, name: 'Trip to Rome' }).waitFor();
  const id = new URL(owner.url()).pathname.split('/').at(-1) ?? '';
  const invited = await app.call('POST', `/v1/rooms/${id}/members`, { as: owner.token, body: { username: friend } });
  expect(invited.status).toBe(201);

  await go(owner, `/rooms/${id}/settings`);
  await owner.getByRole('button', { name: `Actions for ${friend}` }).click();
  await owner.getByRole('menuitem', { name: 'Ban' }).waitFor();
  expect(await owner.getByRole('menu').getByRole('separator').count()).toBe(0);
  await owner.keyboard.press('Escape');
  await go(owner, `/rooms/${id}`);

  await guest.reload();
  await guest.getByRole('button', { name: 'Accept: Trip to Rome' }).click();
  await guest.getByRole('heading', { level: 1, name: 'Trip to Rome' }).waitFor();
  await guest.getByText(`${host}, online`).waitFor({ state: 'attached' });

  await field(guest).fill('Where do we eat?');
  await owner.getByText(`${friend} is typing …`).waitFor();
  await guest.keyboard.press('Enter');
  await said(guest, 'You', 'Where do we eat?').waitFor();
  await said(owner, friend, 'Where do we eat?').waitFor();

  app.model.script({ when: 'ready', deltas: ['At **Da Enzo**', ', of course.'] });
  await field(owner).pressSequentially('@a');
  await owner.getByRole('option', { name: 'Ada' }).waitFor();
  await owner.keyboard.press('Enter');
  await expect.poll(() => field(owner).inputValue()).toBe('@Ada ');
  await field(owner).pressSequentially('is it ready?');
  await owner.keyboard.press('Enter');
  for (const page of [owner, guest]) {
    await said(page, 'Ada', 'At Da Enzo, of course.').locator('strong', { hasText: 'Da Enzo' }).waitFor();
    expect(await said(page, 'Ada', 'At Da Enzo').count()).toBe(1);
  }
  await expect.poll(() => owner.locator('[aria-busy=true]').count()).toBe(0);
  expect(await findings(owner)).toEqual([]);
});

test('the owner offers the room, and the other person accepts it on the page of the room', async () => {
  const friend = await usernameOf(guest);
  const id = new URL(owner.url()).pathname.split('/').at(-1) ?? '';
  await go(owner, `/rooms/${id}/settings`);
  await owner.getByRole('button', { name: `Actions for ${friend}` }).click();
  await owner.getByRole('menuitem', { name: 'Offer the room' }).click();
  await owner.getByRole('button', { name: 'Offer the room' }).last().click();
  const offer = owner.getByRole('region', { name: 'Offer of the room' });
  await offer.getByText(`You offered the ownership of this room to ${friend}.`).waitFor();
  const received = guest.getByRole('region', { name: 'Offer of the room' });
  await received.getByText('The owner offers you this room.').waitFor();
  expect(await findings(guest)).toEqual([]);
  await received.getByRole('button', { name: 'Accept' }).click();
  await guest.getByText('You own this room now.').waitFor();
  await go(owner, `/rooms/${id}`);
  await expect.poll(() => offer.count()).toBe(0);
  // Returns it, as the other tests need it.
  const path = `/v1/rooms/${id}/transfer`;
  const { body: me } = await app.call('GET', '/v1/auth/me', { as: owner.token });
  await app.call('POST', path, { as: guest.token, body: { user_id: me.id } });
  expect(await app.call('POST', `${path}/accept`, { as: owner.token })).toMatchObject({ status: 200 });
  await go(owner, `/rooms/${id}`);
});

test('a link is shown once and admits someone who signs up; the owner changes the room’s settings and bans them', async () => {
  await owner.getByRole('link', { name: 'Members and settings' }).click();
  await owner.getByRole('button', { name: 'New link' }).click();
  const shown = owner.getByRole('dialog', { name: 'Send this link' });
  const link = await shown.locator('pre').innerText();
  await shown.getByRole('button').last().click();
  await owner.getByText('0 of 10 joined').waitFor();

  const visitor = await app.visit(new URL(link).pathname + new URL(link).hash);
  await visitor.getByRole('link', { name: 'Create an account' }).click();
  expect(visitor.url()).not.toContain('token');
  await visitor.getByRole('textbox', { name: 'E-mail' }).fill(`late-${process.pid}@example.com`);
  await visitor.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await visitor.getByRole('button', { name: 'Sign up' }).click();
  await visitor.getByRole('button', { name: 'Join the room' }).click();
  await visitor.getByRole('heading', { level: 1, name: 'Trip to Rome' }).waitFor();
  await visitor.getByRole('heading', { name: 'No messages yet' }).waitFor();

  await owner
    .getByRole('combobox', { name: 'Who answers' })
    .selectOption({ label: 'All agents, addressed ones first' });
  await owner.getByRole('link', { name: 'Back to the room' }).click();
  const leaving = owner.getByRole('alertdialog', { name: 'Leave without saving?' });
  await leaving.getByRole('button', { name: 'Cancel' }).click();
  await owner.getByRole('button', { name: 'Save' }).click();
  await owner.getByText('Saved').waitFor();
  await owner.reload();
  await owner.getByText('1 of 10 joined').waitFor();
  await owner.getByRole('button', { name: `Actions for late-${process.pid}` }).click();
  await owner.getByRole('menuitem', { name: 'Ban' }).click();
  await owner.getByRole('alertdialog').getByRole('button', { name: 'Ban' }).click();
  await visitor.getByRole('heading', { name: 'You cannot open this room' }).waitFor();
  expect(await findings(owner)).toEqual([]);
});
