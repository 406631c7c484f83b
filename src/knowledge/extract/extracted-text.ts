import type { Reading } from './reading.ts';

/** A location in a document. */
export interface Place {
  /** Where it begins in the text, in UTF-16 units. It ends where the next one begins. */
  offset: number;
  /** Location as text: headings, page, row or path. */
  place: string;
  /** Number of the page, from 1. */
  page?: number;
  /** Number of the row, as a spreadsheet counts. */
  row?: number;
  /** First and last line in the file, from 1. */
  lines?: readonly [first: number, last: number];
}

/** A table of which each chunk begins with the header. */
export interface Table {
  /** Beginning and end of the rows below the header, in UTF-16 units of the text. */
  start: number;
  end: number;
  header: string;
}

/** The text of a document and the locations of its parts. */
export interface ExtractedText {
  text: string;
  /** Locations in text order. */
  places: readonly Place[];
  /** Whether the lines of the text are the lines of the file. */
  isByLine?: boolean;
  records?: Records;
  tables?: readonly Table[];
  reading: Reading;
}

/**
 * Parts of a text that are not cut if they fit into a chunk: records and what they consist of, each before those inside
 * it. Offsets in UTF-16 units; two arrays, because there may be a million.
 */
export interface Records {
  starts: number[];
  ends: number[];
}

/** Maximum text of one document, in characters: ten times the largest upload, because PDFs are compressed. */
export const maxTextLength = 100_000_000;

/** Joins the parts of a document to its text. */
export interface TextBuilder {
  /** Adds a part with its location. It is a record, unless it is a page. */
  add(text: string, place: Omit<Place, 'offset'>): void;
  /** Begins a record, which ends at the matching `close`. Records may contain others. */
  open(): void;
  close(): void;
  end(reading: Reading): ExtractedText;
}

export function createTextBuilder(separator: string): TextBuilder {
  const texts: string[] = [];
  const places: Place[] = [];
  const records: Records = { starts: [], ends: [] };
  const opened: number[] = [];
  let offset = 0;
  const open = (): void => {
    opened.push(records.starts.length);
    records.starts.push(offset);
    records.ends.push(offset);
  };
  const close = (): void => {
    const at = opened.pop();
    if (at !== undefined) records.ends[at] = offset;
  };
  return {
    open,
    close,
    add: (text, place) => {
      const last = places.at(-1);
      const isSameLine = last?.lines?.[0] === place.lines?.[0] && last?.lines?.[1] === place.lines?.[1];
      // There may be a million parts: equal places are kept once, and equal pairs of lines are shared.
      if (!last || last.place !== place.place || !isSameLine)
        places.push({ offset, ...place, ...(last?.lines && isSameLine && { lines: last.lines }) });
      if (place.page === undefined) open();
      texts.push(text);
      offset += text.length + separator.length;
      if (place.page === undefined) close();
    },
    end: (reading) => ({ text: texts.join(separator), places, records, reading }),
  };
}
