import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../support/browser.ts';
import { ask, composer, finished, lastReply, openOwnChat, reply } from '../support/chat-page.ts';
import { eventually } from '../support/eventually.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => {
  app.expectNoFaults();
  app.model.reset();
});
afterAll(() => app.close());

const hourMs = 3_600_000;

describe('an access token', () => {
  test('that expired is renewed before a request needs it: none is refused, and what is typed stays', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await page.clock.install();
    const { id } = await app.createConversation(page.token, { name: 'Ada', instructions: 'You are a tutor.' });
    await page.goto(`/chat/${id}`);
    await composer(page).fill('Q: half a thought');
    const refreshed: string[] = [];
    const refused: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname === '/session/refresh') refreshed.push(pathname);
      if (response.status() === 401) refused.push(pathname);
    });
    await page.clock.fastForward(hourMs + 60_000);
    reply(app, 'Still here.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await lastReply(page).getByText('Still here.').waitFor();
    await page.getByText('Q: half a thought').first().waitFor();
    expect([refreshed.length, refused]).toEqual([1, []]);
  });

  test('that the service no longer accepts is renewed once, and what was asked for is done', async () => {
    const page = await app.visitSignedIn('/chat');
    await page.getByRole('button', { name: /Account menu/ }).waitFor();
    let refusals = 0;
    await page.route('**/graphql', async (route) => {
      if (refusals > 0 || !route.request().postData()?.includes('query Agents')) return route.fallback();
      refusals += 1;
      const body = JSON.stringify({ errors: [{ message: 'Sign in.', extensions: { code: 'UNAUTHENTICATED' } }] });
      return route.fulfill({ status: 401, contentType: 'application/json', body });
    });
    const renewed = page.waitForResponse('**/session/refresh');
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByText('Create your first agent').waitFor();
    expect([(await renewed).status(), refusals]).toEqual([200, 1]);
  });

  test('of a session that was revoked asks for the password over the page, and the text is still there', async () => {
    const page = await openOwnChat(app);
    await composer(page).fill('Q: not sent yet');
    await app.db.query('update sessions set revoked_at = now()');
    await page.getByRole('link', { name: 'Explore', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(page.visitor.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
    await page.goBack();
    expect(await composer(page).inputValue()).toBe('Q: not sent yet');
  });
});

test('Enter makes a line on touch, and the button sends', async () => {
  const page = await openOwnChat(app, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  reply(app, 'Both lines.');
  await composer(page).fill('Q: one');
  await composer(page).press('Enter');
  await composer(page).pressSequentially('two');
  expect(await composer(page).inputValue()).toBe('Q: one\ntwo');
  expect(await page.locator('article[aria-label="You"]').count()).toBe(0);
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  await lastReply(page).getByText('Both lines.').waitFor();
});

test('what is dictated is written into the message, and nothing is sent', async () => {
  const page = await openOwnChat(app);
  // A generated tone replaces the microphone; the recorder is the browser's own.
  await page.evaluate(`{
    const context = new AudioContext();
    const tone = context.createOscillator();
    const output = context.createMediaStreamDestination();
    tone.connect(output);
    tone.start();
    globalThis.recorded = () => context.currentTime;
    navigator.mediaDevices.getUserMedia = async () => output.stream;
  }`);
  await composer(page).fill('Q:');
  await page.getByRole('button', { name: 'Dictate' }).click();
  await page.getByRole('button', { name: 'Discard' }).waitFor();
  await page.evaluate('{ globalThis.began = recorded(); }');
  await eventually(() => page.evaluate('recorded() > began + 0.5'));
  const transcribed = page.waitForResponse('**/v1/voice/stt');
  await page.getByRole('button', { name: 'Done' }).click();
  const { text } = (await (await transcribed).json()) as { text: string };
  expect(text.length).toBeGreaterThan(0);
  await eventually(async () => (await composer(page).inputValue()) === `Q: ${text.trim()}`);
  expect(await page.locator('article[aria-label="You"]').count()).toBe(0);
});

test.each([
  ['Markdown', 'markdown', 'md'],
  ['JSON', 'json', 'json'],
])('the export as %s has the same bytes as that of the API', async (item, format, extension) => {
  const page = await openOwnChat(app);
  reply(app, '**Bold**, “quoted” and 日本語.\n\n```ts\nconst a = 1;\n```');
  await ask(page, 'Q: export');
  await finished(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Conversation menu' }).click();
  await page.getByRole('menuitem', { name: `Export as ${item}` }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${extension}$`));
  const path = `/v1/conversations/${page.id}/export?format=${format}`;
  const response = await app.send('GET', path, { headers: { authorization: `Bearer ${page.token}` } });
  const exported = Buffer.from(await response.arrayBuffer());
  expect(exported.length).toBeGreaterThan(100);
  expect((await readFile(await file.path())).equals(exported)).toBe(true);
});
