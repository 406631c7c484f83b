import { plainText } from '../../../../src/core/markdown/plain-text.ts';

/** Returns found text, which is HTML, without Markdown syntax. The marks and character references stay. */
export const plainHighlight = (html: string): string => plainText(html, (text) => text);

/** Returns the last complete sentence; the last sentence of all when the text is complete. */
export function lastSentence(text: string, isComplete: boolean): string {
  const sentences = text.split(/(?<=[.!?。！？؟]["”’)]?)\s+/u);
  const complete = isComplete || /[.!?。！？؟]["”’)]?$/u.test(text) ? sentences : sentences.slice(0, -1);
  return complete.at(-1) ?? '';
}
