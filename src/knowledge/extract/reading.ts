/** How a document was read, and what could not be read. */
export interface Reading {
  /** Encoding of a text file, in lower case, as in the Encoding Standard; null for a PDF. */
  encoding: string | null;
  /** Number of pages of a PDF; null for other formats. */
  pages: number | null;
  notes: ReadingNote[];
}

/** Something of one kind that could not be read. */
export interface ReadingNote {
  code: ReadingNoteCode;
  /** Number of pages, rows, places or files. */
  count: number;
  /** Where they are, such as `page 3`: the first 20. */
  places: string[];
}

const plural = (count: number, one: string, many: string): string =>
  count === 1 ? one : many.replace('#', count.toLocaleString('en-US'));

/** Explanations of notes for the owner, with what to do. */
const explanations = {
  encoding_guessed: (_count, encoding) =>
    `The encoding was guessed: ${encoding}. If characters are wrong, upload the file again and state its encoding.`,
  bytes_invalid: (count, encoding) =>
    `${plural(count, 'One place is', '# places are')} invalid in the encoding ${encoding} and shown as \ufffd. If other characters are wrong too, upload the file again and state its encoding.`,
  rows_unreadable: (count) =>
    `${plural(count, 'One row has a quotation mark without its counterpart. It is', '# rows have a quotation mark without its counterpart. They are')} read as plain text.`,
  lines_unreadable: (count) =>
    `${plural(count, 'One line is not valid JSON. It is', '# lines are not valid JSON. They are')} read as plain text.`,
  files_left_out: (count) =>
    `${plural(count, 'One embedded file, such as a picture in Base64, is', '# embedded files, such as pictures in Base64, are')} left out.`,
  pages_without_text: (count) =>
    `${plural(count, 'One page has', '# pages have')} no text. If they are scanned, run text recognition (OCR) on the file and upload it again.`,
  pages_unreadable: (count) =>
    `The text of ${plural(count, 'one page', '# pages')} cannot be read: the fonts do not state which characters they show. Run text recognition (OCR) on the file, or print it to a new PDF, and upload that.`,
} as const satisfies Record<string, (count: number, encoding: string) => string>;

export type ReadingNoteCode = keyof typeof explanations;

/** Explains a note to the owner of the document. */
export const explain = ({ code, count }: ReadingNote, { encoding }: Reading): string =>
  explanations[code](count, encoding ?? '');

const maxPlaces = 20;

/** Adds to the note of this kind. */
export function addNote(reading: Reading, code: ReadingNoteCode, place?: string, count = 1): void {
  let note = reading.notes.find((each) => each.code === code);
  if (!note) reading.notes.push((note = { code, count: 0, places: [] }));
  note.count += count;
  if (place !== undefined && note.places.length < maxPlaces) note.places.push(place);
}
