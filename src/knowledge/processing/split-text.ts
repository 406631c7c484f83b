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

/** A part of a text that is not cut. Offsets in UTF-16 units. */
export interface Unit {
  start: number;
  end: number;
}

/** Parts of a text that `splitText` treats in its own way. */
export interface TextParts {
  /** Parts that are not cut, in order and disjoint; each fits into a piece. */
  units?: readonly Unit[];
  /** Tokens that a piece with this beginning needs for what is put before it. */
  prefixTokens?: (start: number) => number;
}

/** Yields overlapping pieces of a text, cut at natural boundaries, in time linear in its length. */
export function* splitText(
  text: string,
  { tokens, overlapTokens }: ChunkSize,
  { units = [], prefixTokens = () => 0 }: TextParts = {},
): Generator<TextChunk> {
  let overlap = 0;
  let at = 0;
  for (let body = 0; body < text.length;) {
    while ((units[at]?.end ?? Infinity) <= body) at++;
    const budget = tokens - prefixTokens(body);
    const unit = units[at];
    // A unit that fits only without the overlap is preferred to the overlap.
    if (unit?.start === body && tokensOf(text, unit, budget) > budget - overlapTokens) overlap = 0;
    const { end, rank } = cut(text, body, budget - (overlap > 0 ? overlapTokens : 0), units, at);
    yield { start: body - overlap, end, overlap };
    overlap = rank === headingRank ? 0 : overlapBefore(text, body, end, overlapTokens, units);
    body = end;
  }
}

/** Returns the tokens of a part, or a number above `limit` as soon as it is exceeded. */
export function tokensOf(text: string, { start, end }: Unit, limit: number): number {
  let used = 0;
  for (let i = start; i < end && used <= limit; i++) used += tokenCost(text.charCodeAt(i));
  return used;
}

const noUnit: Unit = { start: Infinity, end: Infinity };

const anywhereRank = 0;
const spaceRank = 1;
const sentenceRank = 2;
const lineRank = 3;
const paragraphRank = 4;
const headingRank = 5;

/**
 * Returns the best boundary within the budget. Prefers a better boundary to a later one, but not in the first half of
 * the budget, unless a unit would be cut.
 */
function cut(
  text: string,
  from: number,
  budget: number,
  units: readonly Unit[],
  firstUnit: number,
): { end: number; rank: number } {
  let used = 0;
  let best = { end: 0, rank: -1 };
  let edge = 0;
  let at = firstUnit;
  let { start, end } = units[at] ?? noUnit;
  for (let i = from; i < text.length; i++) {
    used += tokenCost(text.charCodeAt(i));
    const full = used > budget && i > from;
    if (full && best.rank > anywhereRank) return best;
    if (full && edge > from) return { end: edge, rank: lineRank };
    if (full) return { end: wholeCharacter(text, from, i), rank: anywhereRank };
    if (end <= i) ({ start, end } = units[++at] ?? noUnit);
    const isEdge = i + 1 === start || i + 1 === end;
    if (isEdge) edge = i + 1;
    else if (i + 1 > start) continue;
    if (used < budget / 2) continue;
    const rank = isEdge ? Math.max(lineRank, rankAfter(text, i)) : rankAfter(text, i);
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
 * Returns the number of UTF-16 units at the end of a piece that the next one repeats, starting at a boundary. Returns 0
 * if that would be half of the piece.
 */
function overlapBefore(text: string, from: number, end: number, tokens: number, units: readonly Unit[]): number {
  let used = 0;
  let start = end;
  let best = { start: end, rank: spaceRank - 1 };
  let at = indexBefore(units, end);
  let unit = units[at] ?? noUnitBefore;
  while (start > from) {
    used += tokenCost(text.charCodeAt(start - 1));
    if (used > tokens) break;
    start--;
    if (unit.start >= start) unit = units[--at] ?? noUnitBefore;
    if (start < unit.end) continue;
    const rank = start > from ? Math.min(rankAfter(text, start - 1), sentenceRank) : anywhereRank;
    if (rank >= best.rank) best = { start, rank };
  }
  return end - best.start <= (end - from) / 2 ? end - best.start : 0;
}

const noUnitBefore: Unit = { start: -1, end: 0 };

/** Returns the index of the last unit that begins before the offset, or -1. */
function indexBefore(units: readonly Unit[], offset: number): number {
  let low = 0;
  let high = units.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((units[middle]?.start ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
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
