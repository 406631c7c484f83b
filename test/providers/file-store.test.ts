import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { FileMissing, type FileStore } from '../../src/core/files.ports.ts';
import { StartError } from '../../src/core/process/start-error.ts';
import { createLogger } from '../../src/core/process/log.ts';
import { openFileStore } from '../../src/providers/files/file-store.ts';
import { makeScratchFolder } from '../support/scratch-folder.ts';

let folder: string;
let store: FileStore;

beforeAll(async () => {
  folder = await makeScratchFolder('file-store-test-');
  store = await openFileStore(pathToFileURL(folder).href, createLogger('silent'));
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
  const opening = openFileStore(pathToFileURL(join(file, 'below')).href, createLogger('silent'));
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(/FILES_URL.*no-folder/);
});

describe('a bucket', () => {
  /** Opens it with these variables of AWS and no others. */
  async function openBucket(variables: Record<string, string>): Promise<FileStore> {
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
    const none = { AWS_CONFIG_FILE: '/none', AWS_SHARED_CREDENTIALS_FILE: '/none', AWS_EC2_METADATA_DISABLED: 'true' };
    for (const [name, value] of Object.entries({ ...none, ...variables })) vi.stubEnv(name, value);
    return openFileStore('s3://acme-files/chat', createLogger('silent'));
  }
  afterEach(() => void vi.unstubAllEnvs());
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

  test.each([
    ['region', 'Region is missing', keys],
    ['credentials', 'Could not load credentials', { AWS_REGION: 'eu-west-1' }],
  ])('without %s fails the start with a message that names its variables', async (_what, said, variables) => {
    const opening = openBucket(variables);
    await expect(opening).rejects.toThrow(StartError);
    await expect(opening).rejects.toThrow(new RegExp(`acme-files of FILES_URL cannot be used: ${said}.*AWS_REGION`));
  });

  test.each([
    [404, 'NoSuchBucket', false],
    [403, 'AccessDenied', true],
  ])('that answers %i %s is accepted: %s', async (status, code, isAccepted) => {
    const bucket = createServer((_request, response) =>
      response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`),
    ).listen(0, '127.0.0.1');
    await once(bucket, 'listening');
    const AWS_ENDPOINT_URL = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`;
    const opening = openBucket({ ...keys, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL });
    if (isAccepted) await opening;
    else await expect(opening).rejects.toThrow(StartError);
    bucket.close();
  });
});

test.each(['../secret', '/etc/passwd', 'a/../b', 'a//b', '.incoming/x', 'a b', ''])(
  'rejects the key %j',
  async (key) => {
    await expect(put(key, 'x')).rejects.toThrow('characters');
    await expect(store.get(key)).rejects.toThrow('characters');
    await expect(store.deletePrefix(key)).rejects.toThrow('characters');
  },
);
