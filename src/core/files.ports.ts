import type { Readable } from 'node:stream';

/**
 * Stores uploads and exports. A key consists only of ids and `/` (`agents/<id>/<doc_id>`), never of a name that a user
 * has chosen.
 */
export interface FileStore {
  /** Stores the stream atomically: a partial file, even one that a dead process left behind, is never visible. */
  put(key: string, content: Readable): Promise<void>;
  /** Opens the file for reading. @throws FileMissing */
  get(key: string): Promise<Readable>;
  /** Returns the size in bytes, or null when there is no such file. */
  findSize(key: string): Promise<number | null>;
  /**
   * Deletes the file; a no-op if it does not exist. Also removes partial data that a dead process wrote for the key.
   */
  delete(key: string): Promise<void>;
  /** Deletes all files under the folder `prefix`. Returns their number. */
  deletePrefix(prefix: string): Promise<number>;
  /** Lists the keys under the folder `prefix`. */
  list(prefix: string): AsyncIterable<string>;
}

/** Thrown when there is no file with the key. */
export class FileMissing extends Error {}

const keyForm = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*(\.[a-z0-9]{1,8})?$/;

/**
 * Returns the key if it is well-formed.
 * @throws Error otherwise: only the service creates keys, so a malformed one is a bug
 */
export function checkedKey(key: string): string {
  if (keyForm.test(key)) return key;
  throw new Error('a key of the file store has characters that it may not have');
}

declare module './ctx.ts' {
  interface Ports {
    files: FileStore;
  }
}
