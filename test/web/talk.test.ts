import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findings } from '../support/accessibility.ts';
import { pcmWav } from '../support/audio.ts';
import { type ConsoleApp, shareConsole, startConsole } from '../support/browser.ts';
import { type ChatPage, composer, finished, openOwnChat, storedMessages } from '../support/chat-page.ts';
import { eventually } from '../support/eventually.ts';
import { fitsWidth, outside, small } from '../support/layout.ts';
import { openSocket } from '../support/socket.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Talk' });
const talk = (page: Page) => page.getByRole('button', { name: 'Talk', exact: true });
const status = (page: Page, text: string | RegExp) => panel(page).getByRole('status').getByText(text).waitFor();
const said = (page: Page) => page.locator('article[aria-label="You"]');
const countSounds = `{
  globalThis.sounds = [];
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () { sounds.push(this); return play.call(this); };
}`;

/** Sets the transcripts of the next utterances. */
const understand = (app: ConsoleApp, text: string, times = 1) =>
  app.model.script({ endpoint: 'transcription', answer: { text, segments: [] }, times });
const story = Array.from({ length: 400 }, (_, n) => `This is sentence number ${n}. `);

describe('a spoken conversation with the microphone of the browser', () => {
  let app: ConsoleApp;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'microphone-'));
    const microphone = join(folder, 'speech.wav');
    await writeFile(microphone, speechBetweenSilence());
    app = await startConsole({ microphone });
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('is heard, stored, answered aloud, interrupted by speaking and ended by Escape', async () => {
    const page = await openOwnChat(app);
    // Closing the service waits for its models: otherwise for a title, which is as long as the story.
    await app.call('PATCH', `/v1/conversations/${page.id}`, { as: page.token, body: { title: 'Stories' } });
    await page.evaluate(countSounds);
    understand(app, 'Tell me a story.', 100);
    app.model.script({ when: 'story', deltas: story, deltaDelayMs: 50, times: 100 });
    await talk(page).click();
    await said(page).getByText('Tell me a story.').first().waitFor();
    await status(page, 'Ada is speaking');
    await eventually(() => page.evaluate('sounds[0].currentTime > 0'));
    // The microphone repeats the same utterance; the second one interrupts the reply.
    await said(page).nth(1).waitFor();
    await eventually(() => page.evaluate('sounds[0].paused'));
    // On a busy machine the microphone may also interrupt before a reply has begun, which stores two questions in a row.
    const interrupted = await eventually(async () => {
      const messages = (await storedMessages(app, page)).toReversed();
      return messages.find(({ role }, n) => n > 0 && role === 'assistant' && messages[n + 1]?.role === 'user');
    });
    expect(interrupted.content.length).toBeLessThan(story.join('').length);
    expect(interrupted.content.length).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await composer(page).waitFor();
    await eventually(() => page.evaluate('sounds.every((sound) => sound.paused)'));
    // Whether a reply is still written depends on the speed of the machine.
    await app.call('POST', `/v1/conversations/${page.id}/messages/stop`, { as: page.token });
    await finished(page);
    app.expectNoFaults();
  });
});

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
    await page.evaluate(countSounds);
    await page.evaluate(voice);
    await talk(page).click();
    await status(page, 'Say something');
    return page;
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
    await eventually(() => talk(page).evaluate((button) => button.matches(':focus')));
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
    await talk(page).click();
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
    await talk(page).click();
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

/** Returns four seconds of silence, then two of a voice-like sound. */
function speechBetweenSilence(): Buffer {
  const rate = 48_000;
  const samples = new Int16Array(6 * rate);
  for (let n = 4 * rate; n < samples.length; n++) {
    const seconds = n / rate;
    const syllables = Math.max(0, Math.sin(2 * Math.PI * 4 * seconds));
    const pitch = 140 + 30 * Math.sin(2 * Math.PI * 0.7 * seconds);
    const harmonics = [1, 2, 3, 4, 5, 6].reduce((sum, k) => sum + Math.sin(2 * Math.PI * pitch * k * seconds) / k, 0);
    samples[n] = Math.round(9_000 * syllables * harmonics);
  }
  return pcmWav(samples, rate);
}
