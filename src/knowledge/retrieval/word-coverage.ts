/** A word of a question in the form in which documents of a language are indexed. */
export interface QueryTerm {
  language: string;
  /** The lexeme as a literal of a text search query. */
  term: string;
  /** Whether the word is in the message itself, not only in the turn before it. */
  isOwn: boolean;
  rarity: number;
}

/** Share of a question's words that a chunk contains. */
export interface WordCoverage {
  /** Share of the message's words, each weighted by its rarity: 0 to 1. */
  message: number;
  /** The same share for the message together with the turn before it. */
  inContext: number;
  /** Words of the message that the chunk contains. */
  words: string[];
}

/** Exponent that makes a rare word count for more than several frequent ones. */
const emphasis = 1.5;

/**
 * Returns the weight of a word that `found` of `total` chunks contain: inverse document frequency, raised to
 * `emphasis`.
 */
export function rarityOf(found: number, total: number): number {
  const others = Math.max(0, total - found);
  return Math.log(1 + (others + 0.5) / (found + 0.5)) ** emphasis;
}

/** Returns the coverage of one chunk. @param contained positions in `terms` of the words that the chunk contains */
export function coverageOf(
  terms: readonly QueryTerm[],
  language: string,
  contained: ReadonlySet<number>,
): WordCoverage {
  let own = 0;
  let ownFound = 0;
  let all = 0;
  let allFound = 0;
  const words: string[] = [];
  for (const [i, { language: of, isOwn, rarity, term }] of terms.entries()) {
    if (of !== language) continue;
    const isFound = contained.has(i);
    all += rarity;
    if (isFound) allFound += rarity;
    if (!isOwn) continue;
    own += rarity;
    if (!isFound) continue;
    ownFound += rarity;
    words.push(unquoted(term));
  }
  return { message: share(ownFound, own), inContext: share(allFound, all), words };
}

const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** Returns the lexeme of a literal written by PostgreSQL's `quote_literal`. */
const unquoted = (literal: string): string => {
  const text = literal.replace(/^E?'|'$/g, '').replaceAll("''", "'");
  return literal.startsWith('E') ? text.replaceAll('\\\\', '\\') : text;
};
