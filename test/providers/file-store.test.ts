import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FileMissing, type FileStore } from '../../src/core/files.ports.ts';
import { StartError } from '../../src/core/process/start-error.ts';
import { openFileStore } from '../../src/providers/files/file-store.ts';
import { makeScratchFolder } from '../support/scratch-folder.ts';

let folder: string;
let store: FileStore;

beforeAll(async () => {
  folder = await makeScratchFolder('file-store-test-');
  store = await openFileStore(pathToFileURL(folder).href);
});
afterAll(() => rm(folder, { recursive: true }));

async function keysUnder(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys;
}
const put = (key: string, content: string) => store.put(key, Readable.from([content]));

test('stores, reads, sizes, lists, replaces and deletes files', async () => {
  await put('agents/1/doc_1', 'one');
  await put('agents/1/doc_2', 'two');
  await put('agents/1/doc_1', 'ONE!');
  expect(await text(await store.get('agents/1/doc_1'))).toBe('ONE!');
  expect(await store.findSize('agents/1/doc_1')).toBe(4);
  expect((await keysUnder('agents/1')).toSorted()).toEqual(['agents/1/doc_1', 'agents/1/doc_2']);
  await store.delete('agents/1/doc_1');
  await store.delete('agents/1/doc_1');
  await expect(store.get('agents/1/doc_1')).rejects.toThrow(FileMissing);
  expect(await store.findSize('agents/1/doc_1')).toBeNull();
});

test('deletes a folder but no sibling, even one with the same prefix', async () => {
  await put('agents/2/doc', 'x');
  await put('agents/22/doc', 'x');
  expect(await store.deletePrefix('agents/2')).toBe(1);
  expect(await store.deletePrefix('agents/2')).toBe(0);
  expect(await keysUnder('agents/22')).toEqual(['agents/22/doc']);
});

test('an interrupted write keeps the existing file, and leaves no partial one', async () => {
  await put('agents/3/doc', 'whole');
  const broken = Readable.from(
    (async function* () {
      yield 'ha';
      throw new Error('connection lost');
    })(),
  );
  await expect(store.put('agents/3/doc', broken)).rejects.toThrow();
  expect(await text(await store.get('agents/3/doc'))).toBe('whole');
  expect(await readdir(join(folder, '.incoming'))).toEqual([]);
});

test('an unwritable folder fails the start with a message that names its variable', async () => {
  const file = join(folder, 'no-folder');
  await writeFile(file, '');
  const opening = openFileStore(pathToFileURL(join(file, 'below')).href);
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(/FILES_URL.*no-folder/);
});

test.each(['../secret', '/etc/passwd', 'a/../b', 'a//b', '.incoming/x', 'a b', ''])(
  'rejects the key %j',
  async (key) => {
    await expect(put(key, 'x')).rejects.toThrow('characters');
    await expect(store.get(key)).rejects.toThrow('characters');
    await expect(store.deletePrefix(key)).rejects.toThrow('characters');
  },
);
