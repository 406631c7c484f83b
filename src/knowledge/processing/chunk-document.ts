import type { ExtractedText } from '../extract/extracted-text.ts';
import { type ChunkSize, splitText } from './split-text.ts';

/** A chunk of a document that has no id yet. */
export interface DocumentChunk {
  content: string;
  /**
   * Location as text, from the first to the last heading, page, row or path in the chunk. Empty when the format has no
   * locations.
   */
  place: string;
}

/** Yields the chunks of a document in order, except those without a letter or digit. */
export function* chunkDocument({ text, places }: ExtractedText, size: ChunkSize): Generator<DocumentChunk> {
  /** Returns the index of the place at the offset. The search starts at `from`, which must not be after that place. */
  const placeAt = (offset: number, from: number): number => {
    let at = from;
    while ((places[at + 1]?.offset ?? Infinity) <= offset) at++;
    return at;
  };
  let first = -1;
  for (const { start, end, overlap } of splitText(text, size)) {
    // The overlap does not count: it repeats the end of the previous chunk.
    const own = text.slice(start + overlap, end);
    if (!/[\p{L}\p{N}]/u.test(own)) continue;
    first = placeAt(end - own.trimStart().length, first);
    const last = placeAt(start + overlap + own.trimEnd().length - 1, first);
    yield {
      content: text.slice(start, end).trim(),
      place: rangeOf(places[Math.min(Math.max(first, 0), last)]?.place ?? '', places[last]?.place ?? ''),
    };
  }
}

const numbered = /^(page|row) (\d+)$/;

function rangeOf(first: string, last: string): string {
  if (first === last) return last;
  const [, unit, from] = numbered.exec(first) ?? [];
  const [, lastUnit, to] = numbered.exec(last) ?? [];
  return unit && unit === lastUnit ? `${unit}s ${from}–${to}` : `${first} – ${last}`;
}
