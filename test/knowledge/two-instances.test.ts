import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RetrievedChunk } from '../../src/knowledge/relevant-chunks.ts';
import { retrieve } from '../../src/knowledge/retrieve.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { knowledgePlace, settled, upload } from '../support/knowledge.ts';

let one: TestApp;
let other: TestApp;
const secrets = { AUTH_SECRET: 'a'.repeat(32), ENCRYPTION_KEYS: 'e'.repeat(32) };
beforeAll(async () => {
  one = await startTestApp({ env: secrets });
  const FILES_URL = pathToFileURL(join(one.dataDir, 'files')).href;
  other = await startTestApp({ databaseUrl: one.databaseUrl, env: { ...secrets, FILES_URL } });
});
afterAll(async () => {
  await other.close();
  await one.close();
});

test('what one instance adds or deletes, a question to the other finds or misses at once', async () => {
  const place = await knowledgePlace(one);
  // By vectors alone, which the other instance has in its memory.
  const ask = (): Promise<RetrievedChunk[]> =>
    retrieve(other.app.newCtx({ kind: 'system' }), place.agentId, 'Who keeps the lighthouse?', {
      limit: 5,
      only: 'vectors',
    });
  expect(await ask()).toEqual([]);
  const { body: first } = await upload(one, place, 'a.txt', 'Ingrid Moe keeps the lighthouse of Skarholm.');
  await settled(one, place, first.id);
  expect((await ask()).map(({ documentId }) => documentId)).toEqual([first.id]);
  const { body: second } = await upload(one, place, 'b.txt', 'Before her, Olav Dahl was keeper of the lighthouse.');
  await settled(one, place, second.id);
  expect(new Set((await ask()).map(({ documentId }) => documentId))).toEqual(new Set([first.id, second.id]));
  await one.call('DELETE', `${place.documents}/${first.id}`, { as: place.token });
  expect((await ask()).map(({ documentId }) => documentId)).toEqual([second.id]);
});
