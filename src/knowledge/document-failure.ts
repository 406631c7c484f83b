/** Why a document can't be read, in words that a person can act on. Trying again changes nothing. */
export const documentFailures = {
  encrypted: 'The PDF is protected by a password. Upload a copy without one.',
  unreadable: 'The file is damaged or is not what its name says. Open it, save it again, and upload that copy.',
  no_text: 'No text was found in the file. If it holds scanned pages, run text recognition on it first.',
  too_complex: 'Reading the file takes more time or memory than is allowed. Split it, or upload its text.',
} as const satisfies Record<string, string>;

export type DocumentFailureCode = keyof typeof documentFailures;

/** The document itself is at fault. */
export class DocumentFailure extends Error {
  readonly code: DocumentFailureCode;

  constructor(code: DocumentFailureCode, options?: ErrorOptions) {
    super(documentFailures[code], options);
    this.code = code;
  }
}
