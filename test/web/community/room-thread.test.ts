import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, go, type SignedInPage, shareConsole } from '../../support/browser.ts';
import { restingPlace } from '../../support/chat-page.ts';
import { succeed } from '../../support/client.ts';
import { cuttableSockets } from '../../support/cut-sockets.ts';
import { fitsWidth } from '../../support/layout.ts';
import { notePositions } from '../../support/positions.ts';
import { asAgent } from '../../support/rooms.ts';

let app: ConsoleApp;
let owner: SignedInPage;
let guest: SignedInPage;
let agents: { id: string; name: string }[];

beforeAll(async () => {
  app = await shareConsole();
  [owner, guest] = await Promise.all([app.staySignedIn(), app.staySignedIn()]);
  const { id } = await call(owner, 'GET', '/auth/me');
  await app.db.query(`update users set plan = 'creator' where id = $1`, [id]);
  agents = await Promise.all(
    ['Ada', 'Bo'].map(async (name) => {
      const fields = { name, instructions: `You are ${name}.`, is_public: true };
      return { name, id: (await app.createAgent(owner.token, fields)).id };
    }),
  );
});
afterEach(() => {
  app.model.reset();
  app.expectNoFaults();
});
afterAll(() => app.close());

const call = (page: SignedInPage, method: string, path: string, body?: object) =>
  succeed(app, page.token, method, path, body);

/** Opens a new room of both people and both agents on both pages. */
async function meet(settings: object = {}): Promise<string> {
  const { id } = await call(owner, 'POST', '/rooms', { name: 'Kitchen', ...settings });
  for (const agent of agents) await call(owner, 'POST', `/rooms/${id}/agents`, { agent_id: agent.id });
  const { token } = await call(owner, 'POST', `/rooms/${id}/invitations`, {});
  await call(guest, 'POST', '/rooms/join', { token });
  await Promise.all([go(owner, `/rooms/${id}`), go(guest, `/rooms/${id}`)]);
  for (const page of [owner, guest]) await page.getByRole('heading', { level: 1, name: 'Kitchen' }).waitFor();
  return id;
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const thread = (page: Page) => page.getByRole('log', { name: 'Messages' });
const by = (page: Page, author: string) => thread(page).getByRole('article', { name: author, exact: true });
const said = (page: Page, author: string, text: string) => by(page, author).filter({ hasText: text });
const busy = (page: Page) => thread(page).locator('[aria-busy=true]');
const usernameOf = async (page: SignedInPage): Promise<string> => (await call(page, 'GET', '/auth/me')).username;
async function write(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.keyboard.press('Enter');
}

test('nothing moves on a phone when a message and the reply to it are stored', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await app.visitSignedIn('/robots.txt', phone);
  const { id } = await call(page, 'POST', '/rooms', { name: 'Kitchen' });
  const agent = await app.createAgent(page.token, { name: 'Cy', instructions: 'You are Cy.' });
  await call(page, 'POST', `/rooms/${id}/agents`, { agent_id: agent.id });
  await go(page, `/rooms/${id}`);
  const question = `@Cy ${'what is the difference between these two '.repeat(5)}`.trim();
  const written = await notePositions(page, question);
  const replied = await notePositions(page, 'Because.');
  app.model.script({ deltas: ['Because.'] });
  await field(page).fill(question);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await said(page, 'Cy', 'Because.').getByRole('button', { name: 'Reply' }).waitFor();
  expect([await written(), await replied()]).toEqual([[expect.any(String)], [expect.any(String)]]);
});

test('a reply resumes after a lost connection, with each word once, and what was said meanwhile is there', async () => {
  const network = await cuttableSockets(owner, '/v1/socket');
  await meet();
  await owner.reload();
  const words = Array.from({ length: 60 }, (_, i) => `w${i} `);
  const gate = Promise.withResolvers<void>();
  app.model.script({ when: asAgent('Ada'), deltas: words, deltaDelayMs: 40, gate: gate.promise });
  await write(guest, '@Ada count.');
  await by(owner, 'Ada').getByText('writes').waitFor();
  gate.resolve();
  await said(owner, 'Ada', 'w3').waitFor();
  await owner.context().setOffline(true);
  await network.cut();
  await owner.getByText('Offline. The room continues when').waitFor();
  await owner.getByText('Not connected. New messages appear when the connection is back.').waitFor();
  await write(guest, 'Are you there?');
  await said(guest, 'Ada', 'w59').waitFor();
  network.heal();
  await owner.context().setOffline(false);
  await said(owner, await usernameOf(guest), 'Are you there?').waitFor();
  await said(owner, 'Ada', 'w59').waitFor();
  await expect.poll(() => busy(owner).count()).toBe(0);
  expect(await by(owner, 'Ada').count()).toBe(1);
  expect((await by(owner, 'Ada').innerText()).match(/w\d+/g)).toEqual(words.map((word) => word.trim()));
  await expect.poll(() => owner.getByText('Not connected').count()).toBe(0);
  app.expectNoFaults(/WebSocket|ERR_INTERNET_DISCONNECTED|Failed to fetch/);
});

test('a reply beyond its author’s quota is refused to them alone, and can be dismissed', async () => {
  await meet();
  const { id } = await call(guest, 'GET', '/auth/me');
  await app.db.query(
    `insert into usage_counters (user_id, day, messages) values ($1, (now() at time zone 'utc')::date, 50)
    on conflict (user_id, day) do update set messages = 50`,
    [id],
  );
  await write(guest, '@Ada can you hear me?');
  const refusal = thread(guest).getByRole('alert');
  await refusal.waitFor();
  await said(owner, await usernameOf(guest), '@Ada can you hear me?').waitFor();
  app.model.script({ when: asAgent('Ada'), deltas: ['Loud and clear.'] });
  await write(owner, '@Ada can you hear us?');
  for (const page of [owner, guest]) await said(page, 'Ada', 'Loud and clear.').waitFor();
  expect(await thread(owner).getByRole('alert').count()).toBe(0);
  expect(await refusal.count()).toBe(1);
  await refusal.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(() => refusal.count()).toBe(0);
  await app.db.query(`delete from usage_counters where user_id = $1`, [id]);
});

test('a message is deleted by its author for everyone, and by the owner; others cannot', async () => {
  await meet();
  const name = await usernameOf(guest);
  await write(guest, 'Too much said.');
  await said(owner, name, 'Too much said.').waitFor();
  await write(owner, 'My own words.');
  const others = said(guest, await usernameOf(owner), 'My own words.');
  await others.waitFor();
  expect(await others.getByRole('button', { name: 'Delete the message' }).count()).toBe(0);
  await said(guest, 'You', 'Too much said.').getByRole('button', { name: 'Delete the message' }).click();
  await guest.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await said(owner, name, 'The message was deleted.').waitFor();
  await said(guest, 'You', 'The message was deleted.').waitFor();
  await write(guest, 'And again.');
  await said(owner, name, 'And again.').getByRole('button', { name: 'Delete the message' }).click();
  await owner.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => said(guest, 'You', 'The message was deleted.').count()).toBe(2);
  await guest.reload();
  await said(guest, 'You', 'The message was deleted.').nth(1).waitFor();
  expect(
    await thread(guest)
      .getByText(/Too much said|And again/)
      .count(),
  ).toBe(0);
});

test('a reply to a message shows what it refers to, and addresses the agent that wrote it', async () => {
  await meet();
  app.model.script({ when: asAgent('Bo'), deltas: ['At Da Enzo.'] });
  await write(owner, '@Bo where do we eat?');
  await said(guest, 'Bo', 'At Da Enzo.').getByRole('button', { name: 'Reply' }).click();
  await guest.getByText('Reply to Bo').waitFor();
  app.model.script({ when: asAgent('Bo'), deltas: ['Since 1957.'] });
  await write(guest, 'Since when?');
  const question = said(owner, await usernameOf(guest), 'Since when?');
  await question.getByText('Bo: At Da Enzo.').waitFor();
  await said(owner, 'Bo', 'Since 1957.').waitFor();
  await expect.poll(() => guest.getByText('Reply to Bo').count()).toBe(0);
});

test('several replies run at once: one grows while the others wait, and one button stops all', async () => {
  await meet({ reply_mode: 'all' });
  const first = Promise.withResolvers<void>();
  app.model.script({ when: asAgent('Ada'), deltas: ['One,', ' two.'], gate: first.promise });
  app.model.script({ when: asAgent('Bo'), deltas: ['Three,', ' four.'] });
  await write(owner, 'Count, all of you.');
  for (const page of [owner, guest]) await by(page, 'Ada').getByText('writes').waitFor();
  await guest.reload();
  for (const page of [owner, guest]) {
    await by(page, 'Ada').getByText('writes').waitFor();
    await by(page, 'Bo').getByText('waiting for its turn').waitFor();
    expect(await busy(page).count()).toBe(2);
  }
  expect(await guest.getByRole('button', { name: 'Stop all replies' }).count()).toBe(0);
  first.resolve();
  for (const page of [owner, guest]) {
    await said(page, 'Ada', 'One, two.').waitFor();
    await said(page, 'Bo', 'Three, four.').waitFor();
    await expect.poll(() => busy(page).count()).toBe(0);
  }
  app.model.script({ when: asAgent('Ada'), fault: { kind: 'hang', after: 'before_headers' } });
  await write(owner, 'Again.');
  await by(owner, 'Bo').getByText('waiting for its turn').waitFor();
  await owner.getByRole('button', { name: 'Stop all replies' }).click();
  for (const page of [owner, guest]) await expect.poll(() => busy(page).count()).toBe(0);
  expect(await by(guest, 'Bo').count()).toBe(1);
  expect(await owner.evaluate(fitsWidth)).toBe(true);
});

test('messages of someone whom the reader blocks are folded, and those of others can be reported', async () => {
  await meet();
  const { id } = await call(guest, 'GET', '/auth/me');
  const name = await usernameOf(guest);
  await call(owner, 'PUT', `/social/blocks/${id}`);
  await write(guest, 'Peace?');
  const message = by(owner, name);
  await message.getByText('A message from someone you block.').waitFor();
  expect(await message.getByText('Peace?').count()).toBe(0);
  await message.getByRole('button', { name: 'Show it' }).click();
  await message.getByText('Peace?').waitFor();
  await message.getByRole('button', { name: 'Report this message' }).click();
  const dialog = owner.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('HARASSMENT');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect.poll(async () => (await call(owner, 'GET', '/reports')).data[0]?.subject_type).toBe('room_message');
  await call(owner, 'DELETE', `/social/blocks/${id}`);
});

test('the thread stays at its end while messages and replies arrive, unless the reader has scrolled up', async () => {
  const id = await meet({ reply_mode: 'all', replies_per_message: 2 });
  for (const page of [owner, guest]) await go(page, '/rooms');
  const lines = (n: number) => Array.from({ length: n }, (_, line) => `Line ${line}.`).join('\n');
  for (let i = 0; i < 8; i++) {
    const name = i % 2 ? 'Ada' : 'Bo';
    app.model.script({ when: asAgent(name), deltas: [lines(i * 3 + 1)] });
    await call(owner, 'POST', `/rooms/${id}/messages`, { content: `@${name} ${lines(i % 3)} ${i}?` });
  }
  await expect.poll(async () => (await call(owner, 'GET', `/rooms/${id}/messages?limit=100`)).data.length).toBe(24);
  for (const page of [owner, guest]) await go(page, `/rooms/${id}`);
  const toTheEnd = (page: Page) => page.getByRole('button', { name: 'To the end' });
  const read = (page: Page, expression: string) =>
    page.evaluate<number>(
      `(({ scrollTop, scrollHeight, clientHeight }) => ${expression})(document.querySelector('[role=log]'))`,
    );
  const distance = (page: Page) => read(page, 'scrollHeight - scrollTop - clientHeight');
  await guest.setViewportSize({ width: 390, height: 700 });
  for (const page of [owner, guest]) await expect.poll(() => distance(page)).toBeLessThan(30);
  const gate = Promise.withResolvers<void>();
  app.model.script({ when: asAgent('Ada'), deltas: lines(20).split(/(?<=\n)/), deltaDelayMs: 20, gate: gate.promise });
  app.model.script({ when: asAgent('Bo'), deltas: ['The very last one.'] });
  await write(owner, 'Once more.');
  await by(guest, 'Ada').getByText('writes').waitFor();
  await Promise.all([owner.reload(), guest.reload()]);
  for (const page of [owner, guest]) {
    await by(page, 'Bo').getByText('waiting for its turn').waitFor();
    await expect.poll(() => distance(page)).toBeLessThan(30);
  }
  gate.resolve();
  for (const page of [owner, guest]) {
    await said(page, 'Bo', 'The very last one.').waitFor();
    await expect.poll(() => busy(page).count()).toBe(0);
    await expect.poll(() => distance(page)).toBeLessThan(30);
    expect(await toTheEnd(page).count()).toBe(0);
  }
  await thread(guest).hover();
  const scrolled = guest.evaluate(
    `new Promise((resolve) => document.querySelector('[role=log]').addEventListener('scrollend', resolve, { once: true }))`,
  );
  await guest.mouse.wheel(0, -600);
  await scrolled;
  await toTheEnd(guest).waitFor();
  // What is seen stays, though the browser scrolls when it learns the heights of messages above.
  const firstInView = await guest.evaluate<number>(`{
    const log = document.querySelector('[role=log]');
    const { top } = log.getBoundingClientRect();
    [...log.querySelectorAll('article')].findIndex((article) => article.getBoundingClientRect().top > top);
  }`);
  const seen = thread(guest).locator('article').nth(firstInView);
  const before = await restingPlace(seen);
  await write(owner, 'And again.');
  await said(guest, await usernameOf(owner), 'And again.').waitFor({ state: 'attached' });
  expect(Math.abs((await restingPlace(seen)) - before)).toBeLessThanOrEqual(1);
  await toTheEnd(guest).click();
  await expect.poll(() => distance(guest)).toBeLessThan(30);
});
