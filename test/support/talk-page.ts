import type { Page } from 'playwright-core';
import type { ConsoleApp } from './browser.ts';

export const panel = (page: Page) => page.getByRole('region', { name: 'Talk' });
export const talkButton = (page: Page) => page.getByRole('button', { name: 'Talk', exact: true });
export const status = (page: Page, text: string | RegExp) => panel(page).getByRole('status').getByText(text).waitFor();
export const said = (page: Page) => page.locator('article[aria-label="You"]');
/** Records the sounds of a page in `sounds`. */
export const countSounds = `{
  globalThis.sounds = [];
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () { sounds.push(this); return play.call(this); };
}`;

/** Sets the transcripts of the next utterances. */
export const understand = (app: ConsoleApp, text: string, times = 1) =>
  app.model.script({ endpoint: 'transcription', answer: { text, segments: [] }, times });
/** So long that it is interrupted. */
export const story = Array.from({ length: 400 }, (_, n) => `This is sentence number ${n}. `);
