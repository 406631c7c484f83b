import type { NumberRange } from '../processing/chunk-document.ts';
import type { RetrievedChunk } from './relevant-chunks.ts';

/** A chunk that a reply used. */
export interface Citation {
  chunkId: string;
  documentId: string;
  filename: string;
  chunkIndex: number;
  /** Headings, pages, rows or path; empty if the document has none, absent in older replies. */
  place?: string;
  pages?: NumberRange;
  rows?: NumberRange;
  lines?: NumberRange;
  /** Positions in the reply at which it cites the chunk, in UTF-16 units; absent in older replies. */
  marks?: number[];
}

/**
 * Returns the mark that the model appends to a sentence taken from the passage with this number. The characters are
 * rare in other texts.
 */
export const sourceMark = (number: number): string => `【${number}】`;

const marks = /[ \t]?【(\d{1,3}(?:\s*[,、]\s*\d{1,3})*)】/g;
/** An incomplete mark at the end of a piece, which the next piece of the stream may complete. */
const openMark = /[ \t]?(?:【[\d\s,、]{0,40})?$/;

/** Replaces source marks in the text of a document, so that it cannot forge a citation of another passage. */
export const withoutMarks = (text: string): string => text.replace(marks, ' [$1]');

/** Removes the source marks from a streamed reply. */
export interface MarkReader {
  /** Returns the text that certainly contains no mark. */
  write(text: string): string;
  /** Returns the remaining text. */
  end(): string;
  /** Cited numbers in the order of their first use, with the positions of their marks in the returned text. */
  readonly offsets: ReadonlyMap<number, readonly number[]>;
}

/** Maximum number of recorded marks for each number. Further ones are removed but not recorded. */
const maxMarks = 20;

export function createMarkReader(): MarkReader {
  const offsets = new Map<number, number[]>();
  let held = '';
  let writtenLength = 0;
  const record = (number: number, offset: number): void => {
    const known = offsets.get(number) ?? [];
    if (known.length < maxMarks) offsets.set(number, [...known, offset]);
  };
  const strip = (text: string): string => {
    let removedLength = 0;
    return text.replace(marks, (mark: string, list: string, at: number) => {
      for (const number of list.split(/[,、]/)) record(Number(number), writtenLength + at - removedLength);
      removedLength += mark.length;
      return '';
    });
  };
  return {
    write: (text) => {
      const stripped = strip(held + text);
      const from = stripped.search(openMark);
      held = from < 0 ? '' : stripped.slice(from);
      const shown = from < 0 ? stripped : stripped.slice(0, from);
      writtenLength += shown.length;
      return shown;
    },
    end: () => {
      const rest = held;
      held = '';
      return rest;
    },
    offsets,
  };
}

/**
 * Returns the chunks that a reply used: those that it marks or, when it marks none, those that it quotes. Returns only
 * chunks that were in the prompt.
 * @param given chunks in the order of their numbers, which begin at 1
 */
export function citationsOf(
  reply: string,
  offsets: MarkReader['offsets'],
  given: readonly RetrievedChunk[],
): Citation[] {
  const marked = Array.from(offsets, ([number, marks]) => {
    const chunk = given[number - 1];
    return chunk ? [{ ...citationOf(chunk), marks: marks.filter((offset) => offset <= reply.length) }] : [];
  }).flat();
  if (marked.length > 0) return marked;
  return given.flatMap((chunk) => {
    const end = quoteEnd(reply, chunk.content);
    return end === null ? [] : [{ ...citationOf(chunk), marks: [end] }];
  });
}

const citationOf = ({ chunkId, documentId, filename, chunkIndex, place, location }: RetrievedChunk): Citation => ({
  chunkId,
  documentId,
  filename,
  chunkIndex,
  ...locationOf({ place, location }),
});

/** Returns the location of a passage. What its format does not have is absent. */
export function locationOf({
  place,
  location,
}: Pick<RetrievedChunk, 'place' | 'location'>): Pick<Citation, 'place' | 'pages' | 'rows' | 'lines'> {
  const { repeated: _repeated, ...numbers } = location ?? { repeated: 0 };
  return { place, ...numbers };
}

/** Number of consecutive words of a chunk that count as a quotation. */
export const quotedWords = 8;

/**
 * Returns the end of the sentence in which the reply first repeats eight consecutive words of the chunk; null when it
 * never does.
 */
function quoteEnd(reply: string, content: string): number | null {
  const known = new Set(runsOf(wordsOf(content)).map(({ text }) => text));
  const quote = runsOf(wordsOf(reply)).find(({ text }) => known.has(text));
  if (!quote) return null;
  const rest = reply.slice(quote.end).search(sentenceEnd);
  return rest < 0 ? reply.trimEnd().length : quote.end + rest + 1;
}

const sentenceEnd = /[.!?。！？](?=["'”’)]*(?:\s|$))|[。！？]/u;

interface Word {
  text: string;
  /** End of the word, in UTF-16 units of the text. */
  end: number;
}

const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ({ 0: word, index }) => ({
    text: word.toLowerCase(),
    end: index + word.length,
  }));

/** Returns every run of eight words, with the end of its last word. */
const runsOf = (words: readonly Word[]): Word[] =>
  words.slice(quotedWords - 1).map(({ end }, i) => ({
    text: words
      .slice(i, i + quotedWords)
      .map(({ text }) => text)
      .join(' '),
    end,
  }));
