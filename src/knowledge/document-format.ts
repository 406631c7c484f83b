export const documentFormats = ['txt', 'pdf', 'md', 'csv', 'tsv', 'json', 'jsonl'] as const;

export type DocumentFormat = (typeof documentFormats)[number];

export const mediaTypes: Readonly<Record<DocumentFormat, string>> = {
  txt: 'text/plain; charset=utf-8',
  pdf: 'application/pdf',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/jsonl',
};

/** Formats by further extensions of their files. */
const otherExtensions: Readonly<Record<string, DocumentFormat | undefined>> = {
  markdown: 'md',
  log: 'txt',
  ndjson: 'jsonl',
};

/** Extensions of the files that are read, for people. */
export const readableExtensions = '.txt, .log, .md, .markdown, .pdf, .csv, .tsv, .json or .jsonl';

/** Returns the format that belongs to a file name's extension, ignoring case; null for an unknown one. */
export function formatOf(filename: string): DocumentFormat | null {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  return documentFormats.find((format) => format === extension) ?? otherExtensions[extension] ?? null;
}

const maxLength = 255;
// Control, bidirectional and invisible characters.
const unsafe = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;

/**
 * Sanitizes a file name: removes the path and control or bidirectional characters, makes it well formed, and cuts it to
 * 255 characters including the extension.
 */
export function safeFilename(given: string): string {
  const base = given
    .replace(/^.*[/\\]/s, '')
    .toWellFormed()
    .replace(unsafe, '')
    .normalize('NFC')
    .trim();
  const dot = base.lastIndexOf('.');
  const extension = dot < 0 ? '' : base.slice(dot);
  const stem = (dot < 0 ? base : base.slice(0, dot)).trimEnd().replace(/^[\s.]+/, '') || 'document';
  return [...stem].slice(0, Math.max(1, maxLength - [...extension].length)).join('') + extension;
}
