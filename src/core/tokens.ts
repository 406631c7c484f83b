import { createRequire } from 'node:module';
import type * as cl100kBase from 'gpt-tokenizer/encoding/cl100k_base';
import type * as o200kBase from 'gpt-tokenizer/encoding/o200k_base';

type Tokenizer = Pick<typeof o200kBase, 'countTokens' | 'setMergeCacheSize'>;

const require = createRequire(import.meta.url);
let tokenizer: Tokenizer | undefined;

/**
 * Byte-pair merging takes time quadratic in the longest run without a break, so texts are split into slices of this
 * length.
 */
const sliceLength = 400;
const asText = { disallowedSpecial: new Set<string>() };

/**
 * Returns the number of tokens of `text` in o200k_base, in time linear in its length. Exact for ordinary prose; a word
 * of more than 400 characters is counted in parts, which can add a few tokens.
 */
export function countTokens(text: string): number {
  const { countTokens: count } = (tokenizer ??= loadTokenizer());
  let tokens = 0;
  for (let start = 0; start < text.length;) {
    const end = sliceEnd(text, start);
    tokens += count(text.slice(start, end), asText);
    start = end;
  }
  return tokens;
}

/**
 * Returns an upper bound for the number of tokens, at negligible cost: o200k_base works on UTF-8 bytes, and a token has
 * at least one.
 */
export const tokenUpperBound = (text: string): number => Buffer.byteLength(text);

/**
 * Returns the end of a slice. It is before the last space, so that each word keeps its leading space as in the whole
 * text.
 */
function sliceEnd(text: string, start: number): number {
  const end = start + sliceLength;
  if (end >= text.length) return text.length;
  // Searches only the slice: in a text without spaces, searching the text would scan back to its beginning each time.
  const space = text.slice(start, end + 1).lastIndexOf(' ');
  if (space > 0) return start + space;
  const splitsPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[end] ?? '');
  return splitsPair ? end - 1 : end;
}

/** Largest token of cl100k_base without the special ones, which stand for no text. */
export const largestToken = 100_255;

let decoder: Pick<typeof cl100kBase, 'decode'> | undefined;

/** Returns the text of tokens of cl100k_base up to `largestToken`, without a character that is incomplete at the end. */
export function decodeTokens(tokens: readonly number[]): string {
  decoder ??= require('gpt-tokenizer/encoding/cl100k_base') as typeof cl100kBase;
  return decoder.decode(tokens);
}

/** Loaded on first use: it takes 60 MB and 130 ms, and most processes never need it. */
function loadTokenizer(): Tokenizer {
  const loaded = require('gpt-tokenizer/encoding/o200k_base') as Tokenizer;
  loaded.setMergeCacheSize(10_000);
  return loaded;
}
