import type { ExtractedText, Place, Records, Table } from '../extract/extracted-text.ts';
import { otherSpellings } from '../figures.ts';
import { type ChunkSize, splitText, tokensOf, type Unit } from './split-text.ts';

/** First and last number, from 1. */
export interface NumberRange {
  first: number;
  last: number;
}

/** Location of a chunk in numbers. What the format does not have is absent. */
export interface ChunkLocation {
  pages?: NumberRange;
  rows?: NumberRange;
  /** Lines in the file. */
  lines?: NumberRange;
  /** Length of the beginning that repeats what precedes the chunk, in UTF-16 units: the header of a table, an overlap. */
  repeated: number;
}

/** A chunk of a document that has no id yet. */
export interface DocumentChunk {
  content: string;
  /**
   * Location as text, from the first to the last heading, page, row or path in the chunk. Empty when the format has no
   * locations.
   */
  place: string;
  location: ChunkLocation;
  /** Other spellings of its numbers, dates and identifiers, by which it is found too. */
  spellings: string;
}

/** Yields the chunks of a document in order, except those without a letter or digit. */
export function* chunkDocument(extracted: ExtractedText, size: ChunkSize): Generator<DocumentChunk> {
  const { text, places, records, isByLine = false } = extracted;
  const tableAt = createTableFinder(extracted, size);
  /** Returns the index of the place at the offset. The search starts at `from`, which must not be after that place. */
  const placeAt = (offset: number, from: number): number => {
    let at = from;
    while ((places[at + 1]?.offset ?? Infinity) <= offset) at++;
    return at;
  };
  const lineAt = createLineCounter(text);
  const headerTokens = (offset: number): number => tokensIn(tableAt(offset)?.header ?? '');
  const units = records ? unitsOf(text, records, size.tokens, headerTokens) : [];
  let first = -1;
  for (const { start, end, overlap } of splitText(text, size, { units, prefixTokens: headerTokens })) {
    // The overlap does not count: it repeats the end of the previous chunk.
    const own = text.slice(start + overlap, end);
    if (!/[\p{L}\p{N}]/u.test(own)) continue;
    const begin = end - own.trimStart().length;
    const last = start + overlap + own.trimEnd().length - 1;
    first = placeAt(begin, first);
    const lastPlace = places[placeAt(last, first)];
    const firstPlace = places[Math.max(first, 0)] ?? lastPlace;
    const table = tableAt(start + overlap);
    const header = table?.header ?? '';
    const from = Math.max(start, table?.start ?? 0);
    const repeated = (header + text.slice(from, start + overlap).trimStart()).trimEnd();
    const content = header + text.slice(from, end).trim();
    yield {
      content,
      spellings: otherSpellings(content),
      place: rangeOf(lastPlace ? (firstPlace?.place ?? '') : '', lastPlace?.place ?? ''),
      location: {
        ...numbersOf(firstPlace, lastPlace),
        ...(isByLine && { lines: { first: lineAt(begin), last: lineAt(last) } }),
        repeated: repeated.length,
      },
    };
  }
}

const numbered = /^(page|row|line) (\d+)$/;

function rangeOf(first: string, last: string): string {
  if (first === last) return last;
  const [, unit, from] = numbered.exec(first) ?? [];
  const [, lastUnit, to] = numbered.exec(last) ?? [];
  return unit && unit === lastUnit ? `${unit}s ${from}–${to}` : `${first} – ${last}`;
}

function numbersOf(first: Place | undefined, last: Place | undefined): Omit<ChunkLocation, 'repeated'> {
  const range = (from: number | undefined, to: number | undefined): NumberRange | null =>
    from === undefined || to === undefined ? null : { first: from, last: to };
  const pages = range(first?.page, last?.page);
  const rows = range(first?.row, last?.row);
  const lines = range(first?.lines?.[0], last?.lines?.[1]);
  return { ...(pages && { pages }), ...(rows && { rows }), ...(lines && { lines }) };
}

/** Returns a function that returns the line, from 1, of an offset that is not before the previous one. */
function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let newline = text.indexOf('\n');
  return (offset) => {
    for (; newline >= 0 && newline < offset; newline = text.indexOf('\n', newline + 1)) line++;
    return line;
  };
}

/** Returns a function that finds the table whose header a chunk repeats if it begins at the offset. */
function createTableFinder({ tables = [] }: ExtractedText, size: ChunkSize): (offset: number) => Table | null {
  const usable = tables.filter(({ header }) => tokensIn(header) <= size.tokens / 4);
  let at = 0;
  return (offset) => {
    while (at > 0 && (usable[at]?.start ?? Infinity) > offset) at--;
    while ((usable[at]?.end ?? Infinity) <= offset) at++;
    const table = usable[at];
    return table && table.start <= offset ? table : null;
  };
}

const tokensIn = (text: string): number => tokensOf(text, { start: 0, end: text.length }, Infinity);

/** Returns the outermost records that fit into a chunk. */
function unitsOf(
  text: string,
  { starts, ends }: Records,
  tokens: number,
  headerTokens: (offset: number) => number,
): Unit[] {
  const units: Unit[] = [];
  let covered = 0;
  for (const [i, start] of starts.entries()) {
    const unit = { start, end: Math.min(ends[i] ?? start, text.length) };
    if (start < covered || unit.end <= start) continue;
    const limit = tokens - headerTokens(start);
    if (tokensOf(text, unit, limit) > limit) continue;
    units.push(unit);
    covered = unit.end;
  }
  return units;
}
