import { DocumentFailure } from '../document-failure.ts';
import type { DocumentFormat } from '../document-format.ts';
import { decodeText } from './charset.ts';
import { csvText } from './csv.ts';
import { type ExtractedText, maxTextLength } from './extracted-text.ts';
import { jsonText } from './json.ts';
import { markdownText } from './markdown.ts';
import { pdfText } from './pdf.ts';

/**
 * Extracts the text of a document. Time and memory are unbounded, so run it only in a process that may be killed.
 * @throws DocumentFailure
 */
export async function extractText(format: DocumentFormat, bytes: Uint8Array): Promise<ExtractedText> {
  const extracted = storable(await readers[format](bytes));
  if (!/[\p{L}\p{N}]/u.test(extracted.text)) throw new DocumentFailure('no_text');
  if (extracted.text.length > maxTextLength) throw new DocumentFailure('too_complex');
  return extracted;
}

/** Replaces characters that PostgreSQL cannot store: NUL and lone surrogates. Offsets stay valid. */
function storable({ text, places }: ExtractedText): ExtractedText {
  const clean = (given: string): string => given.replaceAll('\0', ' ').toWellFormed();
  return { text: clean(text), places: places.map(({ offset, place }) => ({ offset, place: clean(place) })) };
}

const readers: Readonly<Record<DocumentFormat, (bytes: Uint8Array) => Promise<ExtractedText> | ExtractedText>> = {
  txt: (bytes) => ({ text: decodeText(bytes), places: [] }),
  md: (bytes) => markdownText(decodeText(bytes)),
  csv: (bytes) => csvText(decodeText(bytes)),
  json: (bytes) => jsonText(decodeText(bytes)),
  pdf: pdfText,
};
