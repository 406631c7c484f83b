/** A word, number or identifier of a question, as documents of one language are indexed. */
export interface QueryWord {
  language: string;
  /** Number of chunks of the agent. */
  chunks: number;
  /** The word as it is shown, in its indexed form. */
  text: string;
  /** Whether it is in the message itself, not only in the turn before it. */
  isOwn: boolean;
  /** Whether it is a number, date, identifier or name, which hardly occurs by chance. */
  isDistinct: boolean;
  /** Position in the message; null when the word has none. */
  position: number | null;
  /** Text search queries for the forms in which a chunk may contain it: as written, then more loosely. */
  forms: readonly string[];
}

/** How often a form of a word occurs. */
export interface Frequency {
  /** Number of the agent's chunks that contain it; for many an estimate. */
  found: number;
  rarity: number;
}

/** How well a chunk covers the words of a question. */
export interface WordCoverage {
  /** Share of the message's words, each weighted by its rarity: 0 to 1. */
  message: number;
  /** The same share for the message together with the turn before it. */
  inContext: number;
  /** Words of the message that the chunk contains. */
  words: string[];
  /** Whether the chunk contains a number, date, identifier or name of the message that few chunks contain. */
  isCertain: boolean;
}

/** Exponent that makes a rare word count for more than several frequent ones. */
const emphasis = 1.5;
/**
 * Number of other chunks that are assumed to exist, without the word. In an agent with few chunks, the number that
 * contain a word says little about its rarity.
 */
const assumedChunks = 4;
/** Weight of two words that are near each other, as a share of the rarity that they would have together by chance. */
const nearShare = 0.25;
/** Number of chunks up to which a word that they contain identifies them. */
export const fewChunks = 10;

/**
 * Returns the weight of a word that `found` of `total` chunks contain: inverse document frequency, raised to
 * `emphasis`.
 */
export function rarityOf(found: number, total: number): number {
  const others = Math.max(0, total - found) + assumedChunks;
  return Math.log(1 + (others + 0.5) / (found + 0.5)) ** emphasis;
}

/** Two words of a message that follow each other in it. */
interface WordPair {
  first: number;
  second: number;
  /** Text search query that finds them near each other. */
  query: string;
}

/** What to look for in the chunks of one question. */
export interface CoverageQuery {
  words: readonly QueryWord[];
  pairs: readonly WordPair[];
  /** Text search queries; the results of a chunk are given as positions in this list. */
  queries: readonly string[];
}

/** Distance in words up to which two words are near each other. */
const nearDistance = 4;
/** Number of words between two that follow each other, such as removed connecting words. */
const maxGap = 2;

/** Plans the coverage of the words. Each form of a word and each pair of neighbouring words is one query. */
export function coverageQueryOf(words: readonly QueryWord[]): CoverageQuery {
  const pairs = pairsOf(words);
  const queries = [...words.flatMap(({ forms }) => forms), ...pairs.map(({ query }) => query)];
  return { words, pairs, queries: [...new Set(queries)] };
}

function pairsOf(words: readonly QueryWord[]): WordPair[] {
  const placed = words
    .map(({ language, position, isOwn, forms }, at) => ({ language, position, isOwn, at, query: forms[0] ?? '' }))
    .filter(({ isOwn, position }) => isOwn && position !== null)
    .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  return placed.flatMap((first, i) => {
    const second = placed.slice(i + 1).find(({ language }) => language === first.language);
    if (!second || (second.position ?? 0) - (first.position ?? 0) > maxGap) return [];
    return [{ first: first.at, second: second.at, query: nearQuery(first.query, second.query) }];
  });
}

const nearQuery = (a: string, b: string): string =>
  Array.from({ length: nearDistance }, (_, i) => `${a} <${i + 1}> ${b} | ${b} <${i + 1}> ${a}`).join(' | ');

/** Returns the number of words of the message, or of the message in its context, in the language with the most. */
export function countWords(words: readonly QueryWord[], inContext: boolean): number {
  const counts = new Map<string, number>();
  for (const { language, isOwn } of words)
    if (isOwn || inContext) counts.set(language, (counts.get(language) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/**
 * Returns a function that computes the coverage of a chunk by the positions of the queries that find it.
 * @param present positions of the queries that find any of the chunks
 */
export function coverageBy(
  { words, pairs, queries }: CoverageQuery,
  frequencies: ReadonlyMap<string, Frequency>,
  present: ReadonlySet<number>,
) {
  const at = new Map(queries.map((query, i) => [query, i]));
  const numbered = words.map((word) => {
    const forms = word.forms.map((query) => ({
      at: at.get(query) ?? -1,
      ...(frequencies.get(query) ?? { found: 0, rarity: 0 }),
    }));
    const weight = Math.max(0, ...forms.map(({ found, rarity }) => (found > 0 ? rarity : 0)));
    return { ...word, forms, weight, found: Math.max(0, ...forms.map(({ found }) => found)) };
  });
  return (language: string, contained: ReadonlySet<number>): WordCoverage => {
    let own = 0;
    let ownFound = 0;
    let all = 0;
    let allFound = 0;
    let isCertain = false;
    const shown: string[] = [];
    const matched = new Map<number, number>();
    for (const [i, { language: of, isOwn, isDistinct, text, weight, forms, chunks }] of numbered.entries()) {
      if (of !== language) continue;
      const has = forms.filter((form) => contained.has(form.at));
      const value = Math.min(weight, Math.max(0, ...has.map(({ rarity }) => rarity)));
      const counted = weight || absentWeight(of, chunks);
      matched.set(i, value);
      all += counted;
      allFound += value;
      if (!isOwn) continue;
      own += counted;
      ownFound += value;
      if (has.length === 0) continue;
      shown.push(text);
      if (isDistinct && has.some((form) => form.found <= fewChunks)) isCertain = true;
    }
    for (const { first, second, query } of pairs) {
      const weight = pairWeight(numbered[first], numbered[second]);
      // Words that are near each other nowhere say nothing about this chunk.
      if (numbered[first]?.language !== language || weight === 0 || !present.has(at.get(query) ?? -1)) continue;
      own += weight;
      all += weight;
      if (!contained.has(at.get(query) ?? -1)) continue;
      ownFound += weight;
      allFound += weight;
    }
    return { message: share(ownFound, own), inContext: share(allFound, all), words: shown, isCertain };
  };
}

interface NumberedWord {
  chunks: number;
  found: number;
}

/** Returns the weight of two words near each other, from the number of chunks that contain both by chance. */
function pairWeight(first: NumberedWord | undefined, second: NumberedWord | undefined): number {
  if (!first || !second || first.found === 0 || second.found === 0) return 0;
  return nearShare * rarityOf((first.found * second.found) / Math.max(1, first.chunks), first.chunks);
}

/** Share of its rarity with which a word counts that no chunk contains, in documents that are not prose of a known language. */
const absentInTables = 0.1;
const absentInProse = 1.3;
/** Number of chunks of prose from which most ordinary words can be expected to occur. */
const chunksOfProse = 16;

/**
 * Returns the weight of a word that no chunk contains. It shows that a question is about another subject only as far
 * as the documents could be expected to contain it: tables contain few ordinary words, and so do a few chunks.
 */
const absentWeight = (language: string, chunks: number): number =>
  rarityOf(0, chunks) * (language === 'simple' ? absentInTables : absentInProse * (chunks / (chunks + chunksOfProse)));

const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);
