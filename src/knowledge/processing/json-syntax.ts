import { none } from 'stream-chain/core';
import { jsonVerifier } from 'stream-json/core/utils/verifier.js';

/** Checks the syntax of streamed JSON. Memory is bounded by one chunk and the nesting depth. */
export interface JsonSyntax {
  /** Returns false as soon as the bytes so far cannot be the beginning of JSON. */
  write(bytes: Uint8Array): boolean;
  /** Returns whether the bytes were one complete JSON value. */
  end(): boolean;
}

/**
 * Creates a checker for any charset that contains ASCII (UTF-8, ISO and Windows charsets). It reads bytes as Latin-1,
 * because other characters occur only in strings.
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
