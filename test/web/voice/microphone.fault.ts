import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pcmWav } from '../../support/audio.ts';
import { type ConsoleApp, startConsole } from '../../support/browser.ts';
import { composer, finished, openOwnChat, storedMessages } from '../../support/chat-page.ts';
import { eventually } from '../../support/eventually.ts';
import { countSounds, said, status, story, talkButton, understand } from '../../support/talk-page.ts';

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
    await talkButton(page).click();
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
