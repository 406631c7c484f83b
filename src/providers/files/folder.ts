import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { checkedKey, FileMissing, type FileStore } from '../../core/files.ports.ts';
import { lazy } from '../../core/lazy.ts';
import { StartError } from '../../core/process/start-error.ts';

/** Folder for files that are still being written. No key starts with a dot, so it cannot conflict with one. */
const incoming = '.incoming';
const abandonedMs = 24 * 3_600_000;

/**
 * Opens a folder, given as a `file:` URL, and removes partial files older than a day.
 * @throws StartError when the folder is not writable
 */
export async function openFolderStore(url: string): Promise<FileStore> {
  const root = fileURLToPath(url);
  try {
    await mkdir(join(root, incoming), { recursive: true, mode: 0o700 });
    await access(join(root, incoming), constants.R_OK | constants.W_OK);
    await removeAbandoned(join(root, incoming));
  } catch (cause) {
    const { message } = cause as Error;
    throw new StartError(`This user cannot use the folder of FILES_URL: ${message}`, { cause });
  }
  // Loaded at the first deletion, because the module includes the table of all media types.
  const disk = lazy(async () => {
    const [{ Disk }, { FSDriver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/fs')]);
    return new Disk(new FSDriver({ location: root, visibility: 'private' }));
  });

  async function* list(prefix: string): AsyncIterable<string> {
    const folder = await opendir(join(root, checkedKey(prefix)), { recursive: true }).catch(nullWhenMissing);
    for await (const entry of folder ?? [])
      if (entry.isFile()) yield relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/');
  }

  return {
    put: async (key, content) => {
      const target = join(root, checkedKey(key));
      const temporary = join(root, incoming, `${incomingPrefix(key)}${randomUUID()}`);
      try {
        // The driver's own method would report an aborted read instead of a full disk.
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
      const file = await open(join(root, checkedKey(key)), 'r').catch(nullWhenMissing);
      if (!file) throw new FileMissing(key);
      return file.createReadStream();
    },
    findSize: async (key) => (await stat(join(root, checkedKey(key))).catch(nullWhenMissing))?.size ?? null,
    delete: async (key) => {
      await (await disk()).delete(checkedKey(key));
      // Removes partial files of processes that died.
      for (const name of await readdir(join(root, incoming)))
        if (name.startsWith(incomingPrefix(key))) await rm(join(root, incoming, name), { force: true });
    },
    deletePrefix: async (prefix) => {
      let count = 0;
      for await (const _key of list(prefix)) count++;
      await (await disk()).deleteAll(checkedKey(prefix));
      return count;
    },
    list,
  };
}

function nullWhenMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error as Error;
}

/** Returns the name prefix of partial files for a key. No key contains a tilde. */
const incomingPrefix = (key: string): string => `${checkedKey(key).replaceAll('/', '.')}~`;

/** Flushes the file to disk before it gets its final name, which marks it as complete. */
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
