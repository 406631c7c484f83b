import type { ExtractedText } from './extract/extracted-text.ts';
import { type ChunkSize, splitText } from './split-text.ts';

/** A chunk as it comes out of a document, before it has an id. */
export interface DocumentChunk {
  content: string;
  /** Where it begins, in words: headings, a page, rows, a path. Empty when the document has no such thing. */
  place: string;
}

/** The chunks of a document in order, those without a word left out. */
export function* chunkDocument({ text, places }: ExtractedText, size: ChunkSize): Generator<DocumentChunk> {
  let at = -1;
  for (const { start, end, overlap } of splitText(text, size)) {
    const content = text.slice(start, end).trim();
    if (!/[\p{L}\p{N}]/u.test(content)) continue;
    // A chunk is where its own text begins, not where the repeated end of the one before does.
    while ((places[at + 1]?.offset ?? Infinity) <= start + overlap) at++;
    yield { content, place: places[at]?.place ?? '' };
  }
}
