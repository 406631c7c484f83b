import { DocumentFailure } from '../document-failure.ts';
import { type ExtractedText, joinParts, maxTextLength } from './extracted-text.ts';

const maxPages = 10_000;

/** The text of a PDF, page by page, in reading order as far as the file tells it. */
export async function pdfText(data: Uint8Array): Promise<ExtractedText> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({
    data,
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    isEvalSupported: false,
    stopAtErrors: false,
    enableXfa: false,
  } as Parameters<typeof getDocument>[0]);
  try {
    const document = await task.promise;
    if (document.numPages > maxPages) throw new DocumentFailure('too_complex');
    const parts: { text: string; place: string }[] = [];
    let length = 0;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const content = await page.getTextContent();
      const text = pageText(content.items as TextItem[]);
      length += text.length;
      if (length > maxTextLength) throw new DocumentFailure('too_complex');
      if (text) parts.push({ text, place: `page ${number}` });
      page.cleanup();
    }
    return joinParts(parts);
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
  height?: number;
}

/** Lines of a page; a gap higher than a line is a paragraph. */
function pageText(items: readonly TextItem[]): string {
  let text = '';
  let lastY: number | undefined;
  for (const { str = '', hasEOL = false, transform, height = 0 } of items) {
    const y = transform?.[5];
    if (str && y !== undefined) {
      if (lastY !== undefined && height > 0 && Math.abs(lastY - y) > height * 1.8 && text.endsWith('\n')) text += '\n';
      lastY = y;
    }
    text += str;
    if (hasEOL) text += '\n';
  }
  return text
    .replaceAll('\0', '')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .toWellFormed()
    .trim();
}

function asFailure(error: unknown): unknown {
  if (error instanceof DocumentFailure) return error;
  const name = error instanceof Error ? error.name : '';
  return new DocumentFailure(name === 'PasswordException' ? 'encrypted' : 'unreadable', { cause: error });
}
