import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findings } from '../../support/accessibility.ts';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { type ChatPage, openOwnChat, storedMessages } from '../../support/chat-page.ts';
import { eventually } from '../../support/eventually.ts';
import { fitsWidth, outside, small } from '../../support/layout.ts';
import { openSocket } from '../../support/socket.ts';
import { countSounds, panel, said, status, story, talkButton, understand } from '../../support/talk-page.ts';

/** Replaces the voice with a tone that the test switches; everything else is the browser's own. */
const voice = `{
  const context = new AudioContext();
  const tone = context.createOscillator();
  const loudness = context.createGain();
  loudness.gain.value = 0;
  const output = context.createMediaStreamDestination();
  tone.connect(loudness).connect(output);
  tone.start();
  globalThis.voice = loudness.gain;
  navigator.mediaDevices.getUserMedia = async () => output.stream.clone();
}`;
const speak = (page: Page) => page.evaluate('{ voice.value = 0.5; }');
const pause = (page: Page) => page.evaluate('{ voice.value = 0; }');

describe('a spoken conversation', () => {
  let app: ConsoleApp;
  beforeAll(async () => {
    app = await shareConsole();
  });
  beforeEach(() => app.model.reset());
  afterEach(() => app.expectNoFaults());
  afterAll(() => app.close());

  async function openTalk(options: Parameters<ConsoleApp['visit']>[1] = {}): Promise<ChatPage> {
    const page = await openOwnChat(app, options);
    await startTalking(page);
    return page;
  }
  async function startTalking(page: Page): Promise<void> {
    await page.evaluate(countSounds);
    await page.evaluate(voice);
    await talkButton(page).click();
    await status(page, 'Say something');
  }
  async function say(page: Page, text: string): Promise<void> {
    understand(app, text);
    await speak(page);
    await status(page, 'Listening to you');
    await pause(page);
  }

  test('shows whose turn it is, what was understood and what is said', async () => {
    const page = await openTalk();
    app.model.script({ when: 'prime', deltas: ['A **prime** has ', 'two divisors.'] });
    await say(page, 'What is a prime?');
    await panel(page).getByText('What is a prime?').waitFor();
    await panel(page).getByText('A prime has two divisors.').waitFor();
    await said(page).getByText('What is a prime?').waitFor();
    await page.locator('article[aria-label="Ada"]').getByText('two divisors').waitFor();
    await status(page, 'Say something');
    await eventually(() => page.evaluate('sounds.length === 1 && sounds[0].paused'));
    expect(await storedMessages(app, page)).toHaveLength(3);
  });

  test('shows a reply that was complete before it could be sent piece by piece', async () => {
    const page = await openOwnChat(app);
    await page.routeWebSocket('**/v1/socket', (socket) => {
      const server = socket.connectToServer();
      server.onMessage((frame) => {
        if (typeof frame !== 'string' || !/"reply\.(started|delta|done)"/.test(frame)) socket.send(frame);
      });
    });
    await startTalking(page);
    app.model.script({ when: 'prime', deltas: ['A prime has two divisors.'] });
    await say(page, 'What is a prime?');
    await panel(page).getByText('A prime has two divisors.').waitFor();
  });

  test('is interrupted by a button, muted, and left by the keyboard, which returns to where it began', async () => {
    const page = await openTalk();
    await eventually(() =>
      panel(page)
        .getByRole('button', { name: 'End' })
        .evaluate((end) => end.matches(':focus')),
    );
    app.model.script({ when: 'story', deltas: story, deltaDelayMs: 50 });
    await say(page, 'Tell me a story.');
    await panel(page).getByRole('button', { name: 'Interrupt' }).click();
    await status(page, 'Say something');
    await eventually(async () => (await storedMessages(app, page)).length === 3);
    await panel(page).getByRole('button', { name: 'Mute' }).click();
    await status(page, 'The microphone is muted.');
    await page.keyboard.press('Escape');
    await eventually(() => talkButton(page).evaluate((button) => button.matches(':focus')));
  });

  test('waits for a lost connection, and continues', async () => {
    const page = await openTalk();
    await page.context().setOffline(true);
    await status(page, 'The connection was lost');
    await page.context().setOffline(false);
    await status(page, 'Say something');
    await say(page, 'Are you back?');
    await said(page).getByText('Are you back?').waitFor();
    app.expectNoFaults(/WebSocket connection to .* failed: .*ERR_INTERNET_DISCONNECTED/);
  });

  test('asks to repeat what was not understood', async () => {
    const page = await openTalk();
    await say(page, '');
    await panel(page).getByText('Nothing was understood.').waitFor();
    await say(page, 'Can you hear me?');
    await said(page).getByText('Can you hear me?').waitFor();
  });

  test('stops at the limit of the day, and leads to the plans', async () => {
    const page = await openTalk();
    await app.db.query(
      `insert into usage_counters (user_id, day, messages) select id, (now() at time zone 'utc')::date, 1000000 from users where email = $1`,
      [page.visitor.email],
    );
    await say(page, 'One more.');
    const alert = panel(page).getByRole('alert');
    await alert.getByRole('link', { name: 'See the plans' }).waitFor();
    await status(page, 'The voice conversation has ended.');
    await panel(page).getByRole('button', { name: 'Close' }).waitFor();
    expect(await storedMessages(app, page)).toHaveLength(1);
  });

  test('is refused when the plan allows no more connections, until one is closed', async () => {
    const page = await openOwnChat(app);
    await page.evaluate(voice);
    const others = await Promise.all(Array.from({ length: 4 }, () => openSocket(app.baseUrl, page.token)));
    await talkButton(page).click();
    await panel(page).getByRole('alert').getByText('reached the connection limit').waitFor();
    for (const other of others) other.close();
    await Promise.all(others.map(({ closed }) => closed));
    await panel(page).getByRole('button', { name: 'Try again' }).click();
    await status(page, 'Say something');
  });

  test.each([
    ['is refused', 'NotAllowedError', 'Allow it in the address bar'],
    ['does not exist', 'NotFoundError', 'No microphone was found'],
    ['is in use', 'NotReadableError', 'Close other programs'],
  ])('says what to do when the microphone %s', async (_case, name, words) => {
    const page = await openOwnChat(app);
    await page.evaluate(`navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', '${name}'); }`);
    await talkButton(page).click();
    await panel(page).getByRole('alert').getByText(words).waitFor();
    await page.evaluate(voice);
    await panel(page).getByRole('button', { name: 'Try again' }).click();
    await status(page, 'Say something');
  });

  test('fits a phone, and passes the checks of accessibility', async () => {
    const page = await openTalk({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
    app.model.script({ when: 'prime', deltas: ['A prime has two divisors.'] });
    await say(page, 'What is a prime?');
    await panel(page).getByText('A prime has two divisors.').waitFor();
    expect(await page.evaluate(fitsWidth)).toBe(true);
    expect([await page.evaluate(outside), await page.evaluate(small)]).toEqual([[], []]);
    expect(await findings(page)).toEqual([]);
  });
});
