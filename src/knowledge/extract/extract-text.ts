import { DocumentFailure } from '../document-failure.ts';
import type { DocumentFormat } from '../document-format.ts';
import { decodeText } from './charset.ts';
import { csvText } from './csv.ts';
import { withoutEmbeddedFiles } from './embedded-files.ts';
import { type ExtractedText, maxTextLength } from './extracted-text.ts';
import { jsonLinesText, jsonText } from './json.ts';
import { markdownText } from './markdown.ts';
import { pdfText } from './pdf.ts';
import { addNote, type Reading } from './reading.ts';

/**
 * Extracts the text of a document. Time and memory are unbounded, so run it only in a process that may be killed.
 * @param encoding of a text file, as stated by the owner; null when it has to be found
 * @throws DocumentFailure
 */
export async function extractText(
  format: DocumentFormat,
  bytes: Uint8Array,
  encoding: string | null = null,
): Promise<ExtractedText> {
  const extracted = storable(format === 'pdf' ? await pdfText(bytes) : readText(format, bytes, encoding));
  if (!/[\p{L}\p{N}]/u.test(extracted.text)) throw new DocumentFailure('no_text');
  if (extracted.text.length > maxTextLength) throw new DocumentFailure('too_complex');
  return extracted;
}

function readText(format: Exclude<DocumentFormat, 'pdf'>, bytes: Uint8Array, declared: string | null): ExtractedText {
  const { text, encoding, isGuess, invalidCount } = decodeText(bytes, declared);
  const reading: Reading = { encoding, pages: null, notes: [] };
  if (isGuess) addNote(reading, 'encoding_guessed');
  if (invalidCount > 0) addNote(reading, 'bytes_invalid', undefined, invalidCount);
  return readers[format](text, reading);
}

const readers: Readonly<Record<Exclude<DocumentFormat, 'pdf'>, (text: string, reading: Reading) => ExtractedText>> = {
  txt: (text, reading) => ({ text: withoutEmbeddedFiles(text, reading), places: [], isByLine: true, reading }),
  md: (text, reading) => markdownText(withoutEmbeddedFiles(text, reading), reading),
  csv: csvText,
  tsv: (text, reading) => csvText(text, reading, '\t'),
  json: jsonText,
  jsonl: jsonLinesText,
};

/** Replaces characters that PostgreSQL cannot store: NUL and lone surrogates. Offsets stay valid. */
function storable(extracted: ExtractedText): ExtractedText {
  const isClean = (given: string): boolean => !given.includes('\0') && given.isWellFormed();
  if (isClean(extracted.text) && extracted.places.every(({ place }) => isClean(place))) return extracted;
  const clean = (given: string): string => given.replaceAll('\0', ' ').toWellFormed();
  return {
    ...extracted,
    text: clean(extracted.text),
    places: extracted.places.map((place) => ({ ...place, place: clean(place.place) })),
    ...(extracted.tables && {
      tables: extracted.tables.map((table) => ({ ...table, header: clean(table.header) })),
    }),
  };
}
