import { DocumentFailure } from '../document-failure.ts';
import type { DocumentFormat } from '../document-format.ts';
import { decodeText } from './charset.ts';
import { csvText } from './csv.ts';
import { type ExtractedText, maxTextLength } from './extracted-text.ts';
import { jsonText } from './json.ts';
import { markdownText } from './markdown.ts';
import { pdfText } from './pdf.ts';

/** The text of a document's bytes. Takes as long and as much memory as the file wants: only for a process that may be killed. @throws DocumentFailure */
export async function extractText(format: DocumentFormat, bytes: Uint8Array): Promise<ExtractedText> {
  const extracted = storable(await readers[format](bytes));
  if (!/[\p{L}\p{N}]/u.test(extracted.text)) throw new DocumentFailure('no_text');
  if (extracted.text.length > maxTextLength) throw new DocumentFailure('too_complex');
  return extracted;
}

/** What PostgreSQL can hold of it: no NUL, no half of a character. Every offset stays. */
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
