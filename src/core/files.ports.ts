import type { Readable } from 'node:stream';

/**
 * Stores uploaded originals and exports. A key consists only of ids and `/` (`agents/<id>/<doc_id>`), never of
 * a name that a user chose.
 */
export interface FileStore {
  /** Stores the stream whole, or nothing: what is being written, or was when the process died, is never seen. */
  put(key: string, content: Readable): Promise<void>;
  /** @throws FileMissing */
  get(key: string): Promise<Readable>;
  /** The size in bytes, `null` when there is no such file. */
  findSize(key: string): Promise<number | null>;
  /** No error when it is gone already. What a process that died was writing under the key goes too. */
  delete(key: string): Promise<void>;
  /** Deletes everything under the folder `prefix`. Returns the number of files. */
  deletePrefix(prefix: string): Promise<number>;
  /** The keys under the folder `prefix`. */
  list(prefix: string): AsyncIterable<string>;
}

/** There is no file with this key. */
export class FileMissing extends Error {}

const keyForm = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*(\.[a-z0-9]{1,8})?$/;

/** The key, when it has the form of one. @throws Error otherwise: keys are made by us, so this is a fault of ours */
export function checkedKey(key: string): string {
  if (keyForm.test(key)) return key;
  throw new Error('a key of the file store has characters that it may not have');
}

declare module './ctx.ts' {
  interface Ports {
    files: FileStore;
  }
}
