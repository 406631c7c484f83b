import { none } from 'stream-chain/core';
import { jsonVerifier } from 'stream-json/core/utils/verifier.js';

/** Checks JSON as it streams by, in memory bounded by a chunk and the nesting depth. */
export interface JsonSyntax {
  /** False as soon as the bytes so far cannot be the beginning of JSON. */
  write(bytes: Uint8Array): boolean;
  /** Whether the bytes were one complete JSON value. */
  end(): boolean;
}

/**
 * Accepts any charset that contains ASCII (UTF-8, the ISO and Windows ones): other bytes occur in strings only, so they
 * are read as Latin-1.
 * @see https://www.rfc-editor.org/rfc/rfc8259
 */
export function createJsonSyntax(): JsonSyntax {
  const verify = jsonVerifier();
  let isBroken = false;
  const accepts = (input: string | typeof none): boolean => {
    if (isBroken) return false;
    try {
      verify(input as string);
    } catch {
      isBroken = true;
    }
    return !isBroken;
  };
  return {
    write: (bytes) => accepts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')),
    end: () => accepts(none),
  };
}
