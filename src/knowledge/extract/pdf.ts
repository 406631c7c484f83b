import { fileURLToPath } from 'node:url';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { DocumentFailure } from '../document-failure.ts';
import { createTextBuilder, type ExtractedText, maxTextLength } from './extracted-text.ts';
import { pageText } from './pdf-page.ts';
import { loadPdfParser, type TextItem } from './pdf-parser.ts';
import { addNote, explain, type Reading, type ReadingNoteCode } from './reading.ts';

const maxPages = 10_000;

/** Directory of character maps, needed for CJK fonts that are not embedded in the file. */
const cMapUrl = fileURLToPath(new URL('../../cmaps/', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')));

/** Extracts the text of a PDF, page by page, in the reading order that the file declares. */
export async function pdfText(data: Uint8Array): Promise<ExtractedText> {
  const { getDocument } = await loadPdfParser();
  const task = getDocument({
    data,
    verbosity: 0,
    cMapUrl,
    cMapPacked: true,
    disableFontFace: true,
    useSystemFonts: false,
    isEvalSupported: false,
    stopAtErrors: false,
    enableXfa: true,
  } as Parameters<typeof getDocument>[0]);
  try {
    const document = await task.promise;
    if (document.numPages > maxPages) throw new DocumentFailure('too_complex');
    const reading: Reading = { encoding: null, pages: document.numPages, notes: [] };
    const builder = createTextBuilder('\n\n');
    let length = 0;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const content = await page.getTextContent({ includeMarkedContent: true });
      const drawn = pageText(content.items as TextItem[]);
      const isReadable = !isUnreadable(drawn);
      if (!isReadable) addNote(reading, 'pages_unreadable', `page ${number}`);
      const text = `${isReadable ? drawn : ''}\n\n${await annotationText(page)}`.trim();
      if (isReadable && !/[\p{L}\p{N}]/u.test(text)) addNote(reading, 'pages_without_text', `page ${number}`);
      length += text.length;
      if (length > maxTextLength) throw new DocumentFailure('too_complex');
      if (text) builder.add(text, { place: `page ${number}`, page: number });
      page.cleanup();
    }
    requireReadable(reading, document.isPureXfa);
    const extracted = builder.end(reading);
    // What other software shows of a form that could not be laid out.
    if (document.numPages === 1 && extracted.text.startsWith('Please wait...') && (await hasDynamicForm(document)))
      throw new DocumentFailure('no_text', { message: dynamicForm });
    return extracted;
  } catch (error) {
    throw asFailure(error);
  } finally {
    await task.destroy();
  }
}

/** What fonts that do not state their characters make of a text: private characters, and control characters for spaces. */
const unknown = /[\p{Co}\p{Cn}\ufffd]/gu;
const controls = /[^\P{Cc}\t\n\f\r]/gu;

function isUnreadable(text: string): boolean {
  const share = (pattern: RegExp): number => (text.match(pattern)?.length ?? 0) / text.replace(/\s/g, '').length;
  return text !== '' && (share(unknown) > 0.3 || share(controls) > 0.05);
}

/** Minimum share of the pages that must be readable. */
const minReadable = 0.05;

/** @throws DocumentFailure with the reason when hardly a page can be read */
function requireReadable(reading: Reading, isDynamicForm: boolean): void {
  const pages = reading.pages ?? 0;
  const countOf = (code: ReadingNoteCode): number => reading.notes.find((note) => note.code === code)?.count ?? 0;
  const [unreadable, empty] = [countOf('pages_unreadable'), countOf('pages_without_text')];
  if (pages > 0 && unreadable + empty <= pages * (1 - minReadable)) return;
  if (isDynamicForm) throw new DocumentFailure('no_text', { message: dynamicForm });
  const worst = reading.notes.find(
    ({ code }) => code === (unreadable > empty ? 'pages_unreadable' : 'pages_without_text'),
  );
  throw new DocumentFailure('no_text', { message: worst ? explain(worst, reading) : 'The PDF has no pages.' });
}

async function hasDynamicForm(document: PDFDocumentProxy): Promise<boolean> {
  const { info } = (await document.getMetadata().catch(() => null)) ?? {};
  return (info as { IsXFAPresent?: boolean } | undefined)?.IsXFAPresent === true;
}

const dynamicForm =
  'The PDF is a dynamic form (XFA), whose pages only Adobe software shows. Print it to a new PDF there, and upload that.';

interface Annotation {
  subtype?: string;
  fieldName?: string;
  fieldValue?: unknown;
  password?: boolean;
  contentsObj?: { str?: string };
}

/** Extracts form fields with their names, and the text of notes. */
async function annotationText(page: PDFPageProxy): Promise<string> {
  // A broken annotation must not make the page unreadable.
  const annotations = (await page.getAnnotations().catch(() => [])) as Annotation[];
  const lines = annotations.map(({ subtype, fieldName, fieldValue, password, contentsObj }) => {
    // The alternative text of a link repeats the page.
    if (!fieldName) return subtype === 'Link' ? '' : (contentsObj?.str ?? '');
    const value = [fieldValue].flat().join(', ');
    return value && value !== 'Off' && !password ? `${fieldName}: ${value}` : '';
  });
  return [...new Set(lines)].filter(Boolean).join('\n');
}

function asFailure(error: unknown): unknown {
  if (error instanceof DocumentFailure) return error;
  const name = error instanceof Error ? error.name : '';
  return new DocumentFailure(name === 'PasswordException' ? 'encrypted' : 'unreadable', { cause: error });
}
