import { type Token, tokensOf } from './search-text.ts';

/** A word, or consecutive words. */
interface Term {
  tokens: Token[];
  /** Whether the term was in quotes, so that only its exact words match. */
  quoted: boolean;
}

/** Terms that must all match, and terms that must not match. */
interface Alternative {
  wanted: Term[];
  unwanted: Term[];
}

export interface SearchQuery {
  alternatives: Alternative[];
}

/** Stems of English words; null for a stop word. */
export type Stems = ReadonlyMap<string, string | null>;

const maxTerms = 32;
const part = /(-?)(?:"([^"]*)"?|([^\s"]+))/g;
// Typographic quotes, which phones insert.
const curlyQuotes = /[\u201c-\u201f\uff02]/g;

/**
 * Parses web search syntax: all words must match, `"quoted words"` must be adjacent, `-word` must not match, and `or`
 * separates alternatives. Any text is a valid query; one without terms has no alternatives. Terms after the 32nd are
 * ignored.
 */
export function parseSearchQuery(q: string): SearchQuery {
  let current: Alternative = { wanted: [], unwanted: [] };
  const alternatives = [current];
  let terms = 0;
  for (const [, minus, quoted, bare] of q.replace(curlyQuotes, '"').matchAll(part)) {
    if (terms === maxTerms) break;
    if (!minus && bare?.toLowerCase() === 'or') {
      current = { wanted: [], unwanted: [] };
      alternatives.push(current);
      continue;
    }
    const tokens = [...tokensOf(quoted ?? bare ?? '')];
    if (tokens.length === 0) continue;
    (minus ? current.unwanted : current.wanted).push({ tokens, quoted: quoted !== undefined });
    terms++;
  }
  // An alternative with only excluded terms would match almost everything.
  return { alternatives: alternatives.filter(({ wanted }) => wanted.length > 0) };
}

/** Returns the words of a query that also match by their stems. */
export const stemmedWords = ({ alternatives }: SearchQuery): string[] => [
  ...new Set(alternatives.flatMap(({ wanted, unwanted }) => [...wanted, ...unwanted].flatMap(stemmedWord))),
];

/** Returns the wanted terms without stop words, unless all of them are stop words. */
export const wantedTerms = (alternative: Alternative, stems: Stems): Term[] => {
  const significant = alternative.wanted.filter((term) => stemmedWord(term).every((word) => stems.get(word) !== null));
  return significant.length > 0 ? significant : alternative.wanted;
};

/**
 * Builds the tsquery for the vectors that `search_words` creates for this user. It consists of words only, and no word
 * contains a character with a meaning in tsquery syntax.
 */
export function toTsquery(query: SearchQuery, stems: Stems, userId: string): string {
  const tag = userId.slice(-6);
  const lexeme = (word: string, prefix = false) => `'${tag}${word}'${prefix ? ':*' : ''}`;

  const one = (term: Term, prefix: boolean): string => {
    const [word] = stemmedWord(term);
    if (word === undefined)
      return chain(term, prefix)
        .map(({ word, prefix }) => lexeme(word, prefix))
        .join(' <-> ');
    const stem = stems.get(word) ?? word;
    // A stem is also a word as written, such as `run`.
    const written = lexeme(word, prefix && isLong(word));
    return [written, ...(stem === word ? [] : [lexeme(stem)]), lexeme(`=${stem}`)].join(' | ');
  };

  return query.alternatives
    .map((alternative) =>
      [
        ...wantedTerms(alternative, stems).map((term) => `(${one(term, true)})`),
        ...alternative.unwanted.map((term) => `!(${one(term, false)})`),
      ].join(' & '),
    )
    .map((alternative) => `(${alternative})`)
    .join(' | ');
}

const stemmedWord = ({ tokens, quoted }: Term): string[] => {
  const [first, ...others] = tokens;
  return first && !quoted && !first.unspaced && others.length === 0 ? [shortened(first.word)] : [];
};

// A single letter would match too much.
const isLong = (word: string): boolean => word.length > 1;

/** Returns whether the last word of a term may match as a prefix: after other words, a single letter may too. */
export const isOpen = ({ tokens, quoted }: Term): boolean =>
  !quoted && (tokens.length > 1 || isLong(tokens.at(-1)?.word ?? ''));

/** Cuts a word to the length that is indexed. */
export const shortened = (word: string): string => (word.length > 64 ? [...word].slice(0, 64).join('') : word);

/** Splits a term into words and, for scripts without spaces, pairs of adjacent characters. */
function chain({ tokens, quoted }: Term, prefix: boolean): { word: string; prefix: boolean }[] {
  return tokens.flatMap((token, i) => {
    const next = tokens[i + 1];
    const last = next === undefined;
    if (!token.unspaced) return { word: shortened(token.word), prefix: last && prefix && isOpen({ tokens, quoted }) };
    if (next?.unspaced && next.joined) return { word: token.word + next.word, prefix: false };
    const covered = last && token.joined && tokens[i - 1]?.unspaced;
    return covered ? [] : { word: token.word, prefix: last };
  });
}
