import { normalClusters } from '../../core/text/normal-form.ts';
import { hasUnspaced } from '../../core/text/unspaced.ts';

/**
 * A word of a text in the normalized form that the search uses. The SQL function `search_words` splits and normalizes
 * messages in the same way, so a change here needs a migration.
 */
export interface Token {
  /** The word in its normal form, or a single character of a script that is written without spaces. */
  word: string;
  unspaced: boolean;
  /** Whether the token follows the previous one without a separator. */
  joined: boolean;
  /** Position in the text, in UTF-16 code units. */
  start: number;
  end: number;
}

// A string, because the linter mistakes ranges of combining marks for combined characters.
const separator = new RegExp(
  String.raw`[\u0000-/:-@\[-\u0060{-\u00bf\u00d7\u00f7\u02b0-\u036f\u055a-\u055f\u0589\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e4f\u0e5a\u0e5b\u1361-\u1368\u17d4-\u17da\u2000-\u25ff\u27c0-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u3099-\u309c\u30a0\u30fb\ue000-\uf8ff\ufe00-\ufe6f\uff00-\uff0f]`,
  'u',
);
const word = /[A-Za-z0-9]+/g;
const ascii = /^[\0-\x7f]*$/;

/** Yields the words of a text in order. It is lazy, so that finding the first match does not process the rest. */
export function* tokensOf(text: string): Generator<Token> {
  if (ascii.test(text)) yield* asciiTokens(text);
  else yield* unicodeTokens(text);
}

function* asciiTokens(text: string): Generator<Token> {
  for (const { 0: found, index: start } of text.matchAll(word))
    yield { word: found.toLowerCase(), unspaced: false, joined: false, start, end: start + found.length };
}

function* unicodeTokens(text: string): Generator<Token> {
  let open: Token | null = null;
  let joined = false;
  for (const { form, start, end } of normalClusters(text)) {
    for (const character of form) {
      const apart = separator.test(character);
      if (!apart && !hasUnspaced(character)) {
        open ??= { word: '', unspaced: false, joined, start, end };
        open.word += character;
        open.end = end;
        continue;
      }
      if (open) yield open;
      joined = !apart && (joined || open !== null);
      open = null;
      if (apart) continue;
      yield { word: character, unspaced: true, joined, start, end };
      joined = true;
    }
  }
  if (open) yield open;
}
