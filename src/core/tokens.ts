import { createRequire } from 'node:module';
import type * as o200kBase from 'gpt-tokenizer/encoding/o200k_base';

type Tokenizer = Pick<typeof o200kBase, 'countTokens' | 'setMergeCacheSize'>;

const require = createRequire(import.meta.url);
let tokenizer: Tokenizer | undefined;

/** Byte-pair merging takes time quadratic in the longest run without a break, so no longer run reaches it. */
const sliceLength = 400;
const asText = { disallowedSpecial: new Set<string>() };

/**
 * Tokens of `text` in o200k_base, in time linear in its length. Exact for ordinary prose; a word of more than 400
 * characters is counted in parts, which adds a token here and there.
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

/** No text has more tokens than this, at next to no cost: o200k_base works on UTF-8 bytes, a token is one or more. */
export const tokenUpperBound = (text: string): number => Buffer.byteLength(text);

/** Before the last space, so that each word keeps the space in front of it as it does in the whole text. */
function sliceEnd(text: string, start: number): number {
  const end = start + sliceLength;
  if (end >= text.length) return text.length;
  // Looked for in the slice alone: in a text without spaces it would be looked for up to the beginning, each time.
  const space = text.slice(start, end + 1).lastIndexOf(' ');
  if (space > 0) return start + space;
  const splitsPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[end] ?? '');
  return splitsPair ? end - 1 : end;
}

/** Loaded at the first use: it takes 60 MB and 130 ms, which most processes never need. */
function loadTokenizer(): Tokenizer {
  const loaded = require('gpt-tokenizer/encoding/o200k_base') as Tokenizer;
  loaded.setMergeCacheSize(10_000);
  return loaded;
}
