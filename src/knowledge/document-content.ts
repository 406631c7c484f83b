import { AppError, invalidField } from '../core/errors.ts';
import { wideCharset } from './extract/charset.ts';
import type { DocumentFormat } from './document-format.ts';
import { createJsonSyntax } from './processing/json-syntax.ts';

/** Maximum size of a document. */
export const maxDocumentBytes = 10 * 1_048_576;

/** Checks an upload while it is streamed. Each call throws as soon as the content cannot be a document of its format. */
export interface ContentCheck {
  /**
   * Checks the next bytes.
   * @throws AppError `payload_too_large`, `unsupported_media_type`
   */
  write(bytes: Buffer): void;
  /**
   * Returns the size in bytes.
   * @throws AppError `invalid_request` when the content is empty, `unsupported_media_type`
   */
  end(): number;
}

const headBytes = 1_024;

export function createContentCheck(format: DocumentFormat): ContentCheck {
  const syntax = format === 'json' ? createJsonSyntax() : null;
  let sizeBytes = 0;
  let head = Buffer.alloc(0);
  let isHeadSeen = false;
  let isWide = false;

  const seeHead = (): void => {
    isHeadSeen = true;
    isWide = format !== 'pdf' && isWideText(head);
    if (!beginsLike(format, head, isWide)) throw formatMismatch(format);
    feed(withoutMark(head));
  };
  const feed = (bytes: Buffer): void => {
    if (format === 'pdf' || isWide) return;
    if (bytes.includes(0)) throw notText(format);
    if (syntax?.write(bytes) === false) throw formatMismatch(format);
  };

  return {
    write: (bytes) => {
      sizeBytes += bytes.length;
      if (sizeBytes > maxDocumentBytes) throw tooLarge();
      if (isHeadSeen) return feed(bytes);
      head = Buffer.concat([head, bytes]);
      if (head.length >= headBytes) seeHead();
    },
    end: () => {
      if (sizeBytes === 0) throw invalidField('file', 'empty', 'The file is empty.');
      if (!isHeadSeen) seeHead();
      // UTF-16 is parsed during extraction, which reports malformed JSON.
      if (syntax && !isWide && !syntax.end()) throw formatMismatch(format);
      return sizeBytes;
    },
  };
}

const tooLarge = (): AppError =>
  new AppError('payload_too_large', { message: 'A document can have at most 10 MB (10,485,760 bytes).' });

const formatMismatch = (format: DocumentFormat): AppError =>
  new AppError('unsupported_media_type', {
    message: `The content of the file is not ${format === 'pdf' || format === 'json' ? `valid ${format.toUpperCase()}` : 'text'}, although its name ends in .${format}.${format === 'json' ? ' A file with one value a line must be named .jsonl.' : ''}`,
  });

const notText = (format: DocumentFormat): AppError =>
  new AppError('unsupported_media_type', {
    message: `The file contains NUL bytes, so it is not text, although its name ends in .${format}. Save it as text in UTF-8.`,
  });

/** Signatures of files that are not text: PDF, ZIP-based formats, images, executables, archives. */
const signatures = [
  '%PDF-',
  'PK\x03\x04',
  'PK\x05\x06',
  '\x89PNG',
  'GIF87a',
  'GIF89a',
  '\xff\xd8\xff',
  '\x7fELF',
  'MZ\x90',
  '\x1f\x8b',
  'Rar!',
  '7z\xbc\xaf',
  'BZh',
  'ID3',
  'OggS',
  '\xd0\xcf\x11\xe0',
  '{\\rtf',
];

/** A page with a PDF behind it. Other bytes before the signature are accepted, such as the headers of a print job. */
const markup = /^\s*<[!?a-z]/i;

function beginsLike(format: DocumentFormat, head: Buffer, isWide: boolean): boolean {
  if (isWide) return true;
  const text = head.toString('latin1');
  const isOther = signatures.some((signature) => text.startsWith(signature));
  if (format !== 'pdf') return !isOther;
  return text.startsWith('%PDF-') || (!isOther && !markup.test(text) && text.includes('%PDF-'));
}

const isWideText = (head: Buffer): boolean =>
  (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff) || wideCharset(head) !== null;

const withoutMark = (head: Buffer): Buffer =>
  head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
