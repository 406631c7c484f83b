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
  if (!mayContain.test(text)) return text;
  const leftOut = (found: string, name: string): string => {
    addNote(reading, 'files_left_out');
    return `[${name}]${'\n'.repeat(found.split('\n').length - 1)}`;
  };
  return text
    .replace(dataUri, (found, mediaType: string) => leftOut(found, mediaType))
    .replace(base64, (found) => (isBase64(found) ? leftOut(found, 'Base64') : found));
}

const mayContain = /;base64,|[\w+/-]{60}/;

/** Whether the characters are as mixed as those of Base64; a long name, a number or a line of signs is not. */
const isBase64 = (found: string): boolean => {
  const share = (pattern: RegExp): number => (found.match(pattern)?.length ?? 0) / found.length;
  return share(/[a-z]/g) > 0.2 && share(/[A-Z]/g) > 0.2 && share(/\d/g) > 0.05;
};
