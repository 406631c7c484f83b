/** Reasons why a document is unreadable, with advice for its owner. Retrying does not help. */
export const documentFailures = {
  encrypted: 'The PDF is protected by a password. Upload a copy without one.',
  unreadable: 'The file is damaged or does not match its extension. Open it, save it again, and upload that copy.',
  no_text: 'No text was found in the file. If it contains scanned pages, run text recognition (OCR) on it first.',
  too_complex: 'The file takes more time or memory to read than allowed. Split it, or upload its text.',
} as const satisfies Record<string, string>;

export type DocumentFailureCode = keyof typeof documentFailures;

/** A failure that the document itself causes. */
export class DocumentFailure extends Error {
  readonly code: DocumentFailureCode;

  constructor(code: DocumentFailureCode, options?: ErrorOptions) {
    super(documentFailures[code], options);
    this.code = code;
  }
}
