import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import { ask, composer, finished, lastReply, openOwnChat, reply } from '../../support/chat-page.ts';
import { eventually } from '../../support/eventually.ts';

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

  test('of a revoked session asks for the password in a dialog and keeps the text', async () => {
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

/** Replaces the microphone with a generated tone once `allow` is called; the recorder is the browser's own. */
const tone = `{
  const context = new AudioContext();
  const tone = context.createOscillator();
  const output = context.createMediaStreamDestination();
  tone.connect(output);
  tone.start();
  globalThis.recorded = () => context.currentTime;
  const allowed = new Promise((resolve) => { globalThis.allow = resolve; });
  globalThis.tracks = [];
  navigator.mediaDevices.getUserMedia = async () => {
    await allowed;
    const stream = output.stream.clone();
    tracks.push(...stream.getTracks());
    return stream;
  };
}`;
const dictate = (page: Page) => page.getByRole('button', { name: 'Dictate' });

/** Waits until half a second is recorded. */
async function speak(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Discard' }).waitFor();
  await page.evaluate('{ globalThis.began = recorded(); }');
  await eventually(() => page.evaluate('recorded() > began + 0.5'));
}

describe('dictation', () => {
  test('writes what was said into the message, by clicks or while the button is held, and sends nothing', async () => {
    const page = await openOwnChat(app);
    await page.evaluate(tone);
    await page.evaluate('allow()');
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/voice/stt')) sent += 1;
    });
    await composer(page).fill('Q:');
    const transcript = async (end: () => Promise<void>): Promise<string> => {
      await speak(page);
      const transcribed = page.waitForResponse('**/v1/voice/stt');
      await end();
      const { text } = (await (await transcribed).json()) as { text: string };
      expect(text.length).toBeGreaterThan(0);
      return text.trim();
    };
    await dictate(page).click();
    const first = await transcript(() => page.getByRole('button', { name: 'Done' }).click());
    await eventually(async () => (await composer(page).inputValue()) === `Q: ${first}`);
    await dictate(page).hover();
    await page.mouse.down();
    const second = await transcript(() => page.mouse.up());
    await eventually(async () => (await composer(page).inputValue()) === `Q: ${first} ${second}`);
    // A press whose release is not reported, such as one outside the window.
    await dictate(page).dispatchEvent('pointerdown', { button: 0 });
    await speak(page);
    await page.getByRole('button', { name: 'Discard' }).click();
    await dictate(page).waitFor();
    await page.route('**/v1/voice/stt', (route) => route.abort('internetdisconnected'), { times: 1 });
    await dictate(page).dispatchEvent('pointerdown', { button: 0 });
    await speak(page);
    // A gesture of the browser takes the press away.
    await page.evaluate(`['pointercancel', 'pointerup'].forEach((type) => dispatchEvent(new PointerEvent(type)))`);
    await page.getByRole('button', { name: 'Done' }).click();
    const retried = page.waitForResponse('**/v1/voice/stt');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    const third = ((await (await retried).json()) as { text: string }).text.trim();
    await eventually(async () => (await composer(page).inputValue()) === `Q: ${first} ${second} ${third}`);
    expect(sent).toBe(4);
    expect(await page.locator('article[aria-label="You"]').count()).toBe(0);
  });

  test('ends with its conversation, whose draft receives the transcript of a finished recording', async () => {
    const page = await openOwnChat(app);
    const leave = () => go(page, '/agents');
    await page.evaluate(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'))`,
    );
    await dictate(page).click();
    await page.getByText('No microphone was found').waitFor();
    await page.evaluate(tone);
    await dictate(page).dblclick();
    await page.evaluate('allow()');
    await page.getByRole('button', { name: 'Discard' }).waitFor();
    expect(await page.evaluate('tracks.map(({ readyState }) => readyState)')).toEqual(['live']);
    await leave();
    expect(await page.evaluate('tracks.map(({ readyState }) => readyState)')).toEqual(['ended']);
    await go(page, `/chat/${page.id}`);
    const { promise: returned, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/v1/voice/stt', async (route) => {
      await returned;
      await route.fulfill({ json: { text: 'Half a sentence' } });
    });
    await dictate(page).click();
    await speak(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await leave();
    await go(page, `/chat/${page.id}`);
    await composer(page).waitFor();
    release();
    await expect.poll(() => composer(page).inputValue()).toBe('Half a sentence');
  });
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
