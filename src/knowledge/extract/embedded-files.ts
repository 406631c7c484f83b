import { addNote, type Reading } from './reading.ts';

/** A data URI in Base64. */
const dataUri = /data:([\w.+-]+\/[\w.+-]+)(?:;[\w.=+-]+)*;base64,[\w+/=-]*(?:[ \t]*\n[ \t]*[\w+/=-]{40,})*/g;
/** Base64 of at least 200 characters, in one line or in lines of equal length. */
const base64 = /(?<![\w+/=-])(?:[\w+/-]{200,}={0,2}|(?:[\w+/-]{60,}\n){3,}[\w+/-]*={0,2})(?![\w+/=-])/g;

/**
 * Replaces files that are embedded as Base64, such as pictures, by their media type, because they have no words. The number
 * of lines stays the same.
 */
export function withoutEmbeddedFiles(text: string, reading: Reading): string {
  if (!hasLongRun(text)) return text;
  const leftOut = (found: string, name: string): string => {
    addNote(reading, 'files_left_out');
    return `[${name}]${'\n'.repeat(found.split('\n').length - 1)}`;
  };
  return text
    .replace(dataUri, (found, mediaType: string) => leftOut(found, mediaType))
    .replace(base64, (found) => (isBase64(found) ? leftOut(found, 'Base64') : found));
}

/** Number of characters of Base64 in a row from which a text may contain a file. */
const longRun = 60;
const isBase64Character = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x2f && code <= 0x39) ||
  [0x2b, 0x2d, 0x5f].includes(code);

/** Looks at one in 60 characters and around it, which is much faster than an expression over all of a long text. */
function hasLongRun(text: string): boolean {
  for (let at = longRun - 1; at < text.length; at += longRun) {
    let from = at;
    while (from >= 0 && at - from < longRun && isBase64Character(text.charCodeAt(from))) from--;
    let to = at;
    while (to - from <= longRun && to < text.length && isBase64Character(text.charCodeAt(to))) to++;
    if (from < at && to - from > longRun) return true;
  }
  return false;
}

/** Whether the characters are as mixed as those of Base64; a long name, a number or a line of signs is not. */
const isBase64 = (found: string): boolean => {
  const share = (pattern: RegExp): number => (found.match(pattern)?.length ?? 0) / found.length;
  return share(/[a-z]/g) > 0.2 && share(/[A-Z]/g) > 0.2 && share(/\d/g) > 0.05;
};
