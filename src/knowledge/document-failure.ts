/** Reasons why a document is unreadable, with advice for its owner. Retrying does not help. */
export const documentFailures = {
  encrypted: 'The PDF is protected by a password. Upload a copy without one.',
  unreadable: 'The file is damaged or does not match its extension. Open it, save it again, and upload that copy.',
  no_text: 'The file contains no letters or digits.',
  too_complex: 'The file takes more time or memory to read than allowed. Split it, or upload its text.',
} as const satisfies Record<string, string>;

export type DocumentFailureCode = keyof typeof documentFailures;

/** A failure that the document itself causes. The message is the usual one of its code unless a more exact one is given. */
export class DocumentFailure extends Error {
  readonly code: DocumentFailureCode;

  constructor(code: DocumentFailureCode, { message, cause }: { message?: string | undefined; cause?: unknown } = {}) {
    super(message ?? documentFailures[code], { cause });
    this.code = code;
  }
}
