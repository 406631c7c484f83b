import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { checkedKey, FileMissing, type FileStore } from '../../core/files.ports.ts';
import { StartError } from '../../core/start-error.ts';

/** Files being written; no key starts with a dot. */
const incoming = '.incoming';
const abandonedMs = 24 * 3_600_000;

/** A folder, given as a `file:` URL. Removes what was left half written more than a day ago. @throws StartError when it can't be written to */
export async function openFolderStore(url: string): Promise<FileStore> {
  const root = fileURLToPath(url);
  try {
    await mkdir(join(root, incoming), { recursive: true, mode: 0o700 });
    await access(join(root, incoming), constants.R_OK | constants.W_OK);
    await removeAbandoned(join(root, incoming));
  } catch (cause) {
    const { message } = cause as Error;
    throw new StartError(`The folder of FILES_URL can't be used by this user: ${message}`, { cause });
  }
  const disk = new Disk(new FSDriver({ location: root, visibility: 'private' }));

  async function* list(prefix: string): AsyncIterable<string> {
    const { objects } = await disk.listAll(checkedKey(prefix), { recursive: true });
    for (const object of objects) if (object.isFile) yield object.key;
  }

  return {
    put: async (key, content) => {
      const target = join(root, checkedKey(key));
      const temporary = join(root, incoming, `${incomingPrefix(key)}${randomUUID()}`);
      try {
        // The driver's own way tells of the reading that was aborted, not of the disk that was full.
        await pipeline(content, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
        await synced(temporary);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await rename(temporary, target);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    get: async (key) => {
      if (!(await disk.exists(checkedKey(key)))) throw new FileMissing(key);
      return disk.getStream(key);
    },
    findSize: async (key) => {
      if (!(await disk.exists(checkedKey(key)))) return null;
      return (await disk.getMetaData(key)).contentLength;
    },
    delete: async (key) => {
      await disk.delete(checkedKey(key));
      // What a process that died has left half written.
      for (const name of await readdir(join(root, incoming)))
        if (name.startsWith(incomingPrefix(key))) await rm(join(root, incoming, name), { force: true });
    },
    deletePrefix: async (prefix) => {
      let count = 0;
      for await (const _key of list(prefix)) count++;
      await disk.deleteAll(checkedKey(prefix));
      return count;
    },
    list,
  };
}

/** No key has a tilde. */
const incomingPrefix = (key: string): string => `${checkedKey(key).replaceAll('/', '.')}~`;

/** On the disk, before its name says that it is whole. */
async function synced(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - abandonedMs) await rm(path, { force: true });
  }
}
