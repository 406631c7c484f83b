/** A piece of a text. All pieces in order, without their overlaps, form the whole text. */
export interface TextChunk {
  /** Offsets in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** Length of the beginning that repeats the end of the previous piece, in UTF-16 units. */
  overlap: number;
}

export interface ChunkSize {
  /** Approximate number of tokens in a chunk, including its overlap. */
  tokens: number;
  overlapTokens: number;
}

/** Yields overlapping pieces of a text, cut at natural boundaries, in time linear in its length. */
export function* splitText(text: string, { tokens, overlapTokens }: ChunkSize): Generator<TextChunk> {
  let overlap = 0;
  for (let body = 0; body < text.length;) {
    const { end, rank } = cut(text, body, tokens - (overlap > 0 ? overlapTokens : 0));
    yield { start: body - overlap, end, overlap };
    overlap = rank === headingRank ? 0 : overlapBefore(text, body, end, overlapTokens);
    body = end;
  }
}

const anywhereRank = 0;
const spaceRank = 1;
const sentenceRank = 2;
const lineRank = 3;
const paragraphRank = 4;
const headingRank = 5;

/**
 * Returns the best boundary within the budget. Prefers a better boundary to a later one, but not in the first half of
 * the budget.
 */
function cut(text: string, from: number, budget: number): { end: number; rank: number } {
  let used = 0;
  let best = { end: 0, rank: -1 };
  for (let i = from; i < text.length; i++) {
    used += tokenCost(text.charCodeAt(i));
    const full = used > budget && i > from;
    if (full) return best.rank > anywhereRank ? best : { end: wholeCharacter(text, from, i), rank: anywhereRank };
    if (used < budget / 2) continue;
    const rank = rankAfter(text, i);
    if (rank >= best.rank) best = { end: i + 1, rank };
  }
  return { end: text.length, rank: headingRank };
}

/** Returns the rank of the boundary after the unit at `i`. */
function rankAfter(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  if (unit === newline) {
    if (text.charCodeAt(i + 1) === hash) return headingRank;
    return text.charCodeAt(i - 1) === newline ? paragraphRank : lineRank;
  }
  if (unit === space) return sentenceEnds.has(text.charCodeAt(i - 1)) ? sentenceRank : spaceRank;
  return wideSentenceEnds.has(unit) ? sentenceRank : anywhereRank;
}

const newline = 10;
const space = 32;
const hash = 35;
const units = (characters: string): Set<number> => new Set([...characters].map((character) => character.charCodeAt(0)));
const sentenceEnds = units('.!?:;…');
const wideSentenceEnds = units('。！？');

/**
 * Returns the number of units at the end of a piece that the next one repeats, starting at a boundary. Returns 0 if
 * that would be half of the piece.
 */
function overlapBefore(text: string, from: number, end: number, tokens: number): number {
  let used = 0;
  let start = end;
  let best = { start: end, rank: spaceRank - 1 };
  while (start > from) {
    used += tokenCost(text.charCodeAt(start - 1));
    if (used > tokens) break;
    start--;
    const rank = start > from ? Math.min(rankAfter(text, start - 1), sentenceRank) : anywhereRank;
    if (rank >= best.rank) best = { start, rank };
  }
  return end - best.start <= (end - from) / 2 ? end - best.start : 0;
}

/** Moves the end out of a surrogate pair, but never back to `from`. */
function wholeCharacter(text: string, from: number, end: number): number {
  if (!isHigh(text.charCodeAt(end - 1))) return end;
  return end - 1 > from ? end - 1 : end + 1;
}

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

/**
 * Returns the approximate tokens of a UTF-16 unit: a token is four Latin letters, two letters of most other alphabets,
 * or one ideograph.
 */
function tokenCost(unit: number): number {
  if (unit < 0x80) return 0.25;
  return unit < 0x1100 ? 0.5 : 1;
}
