import { fileURLToPath } from 'node:url';
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { DocumentFailure } from '../document-failure.ts';
import { createTextBuilder, type ExtractedText, maxTextLength } from './extracted-text.ts';
import type { Reading } from './reading.ts';

const maxPages = 10_000;

/** Directory of character maps, needed for CJK fonts that are not embedded in the file. */
const cMapUrl = fileURLToPath(new URL('../../cmaps/', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')));

/** Extracts the text of a PDF, page by page, in the reading order that the file declares. */
export async function pdfText(data: Uint8Array): Promise<ExtractedText> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({
    data,
    verbosity: 0,
    cMapUrl,
    cMapPacked: true,
    disableFontFace: true,
    useSystemFonts: false,
    isEvalSupported: false,
    stopAtErrors: false,
    enableXfa: false,
  } as Parameters<typeof getDocument>[0]);
  try {
    const document = await task.promise;
    if (document.numPages > maxPages) throw new DocumentFailure('too_complex');
    const reading: Reading = { encoding: null, pages: document.numPages, notes: [] };
    const builder = createTextBuilder('\n\n');
    let length = 0;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const content = await page.getTextContent();
      const text = `${pageText(content.items as TextItem[])}\n\n${await annotationText(page)}`.trim();
      length += text.length;
      if (length > maxTextLength) throw new DocumentFailure('too_complex');
      if (text) builder.add(text, { place: `page ${number}`, page: number });
      page.cleanup();
    }
    return builder.end(reading);
  } catch (error) {
    throw asFailure(error);
  } finally {
    await task.destroy();
  }
}

interface TextItem {
  str?: string;
  hasEOL?: boolean;
  transform?: readonly number[];
  width?: number;
  height?: number;
}

/** Joins the items of a page to lines. A vertical gap of more than a line starts a paragraph. */
function pageText(items: readonly TextItem[]): string {
  let text = '';
  let end: { x: number; y: number } | null = null;
  for (const { str = '', hasEOL = false, transform, width = 0, height = 0 } of items) {
    const [x = 0, y = 0] = transform?.slice(4) ?? [];
    if (str && height > 0) {
      const rise = end ? Math.abs(end.y - y) : 0;
      // Items of different objects, such as a form and its values, have no separator of their own.
      if (end && !/\s$/.test(text)) text += separator({ rise, gap: x - end.x, height });
      if (rise > height * 1.8 && text.endsWith('\n')) text += '\n';
      end = { x: x + width, y };
    }
    text += str;
    if (hasEOL) text += '\n';
  }
  return (
    text
      .replace(/[ \t]+\n/g, '\n')
      // Joins words that were hyphenated at the end of a line, so that search finds them.
      .replace(/\u00ad\n?|(?<=\p{Ll})-\n(?=\p{Ll})/gu, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}

/** Returns the separator between two items with these vertical and horizontal distances. */
function separator({ rise, gap, height }: { rise: number; gap: number; height: number }): string {
  if (rise > height * 0.8) return '\n';
  return gap > height * 0.3 ? ' ' : '';
}

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
