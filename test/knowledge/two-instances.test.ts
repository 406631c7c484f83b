import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RetrievedChunk } from '../../src/knowledge/retrieval/relevant-chunks.ts';
import { retrieve } from '../../src/knowledge/retrieval/retrieve.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { knowledgePlace, settled, upload } from '../support/knowledge.ts';

let one: TestApp;
let other: TestApp;
const secrets = { AUTH_SECRET: 'a'.repeat(32), ENCRYPTION_KEYS: 'e'.repeat(32) };
const startAnother = (): Promise<TestApp> => {
  const FILES_URL = pathToFileURL(join(one.dataDir, 'files')).href;
  return startTestApp({ databaseUrl: one.databaseUrl, env: { ...secrets, FILES_URL } });
};
beforeAll(async () => {
  one = await startTestApp({ env: secrets });
  other = await startAnother();
});
afterAll(async () => {
  await other.close();
  await one.close();
});

test('a change on one instance takes effect at once in queries to the other', async () => {
  const place = await knowledgePlace(one);
  // Only vectors can match, and the other instance caches them.
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

test('documents of another embedding model are embedded again when an instance starts', async () => {
  const place = await knowledgePlace(one);
  const { body } = await upload(one, place, 'a.txt', 'Ingrid Moe keeps the lighthouse of Skarholm.');
  await settled(one, place, body.id);
  await one.db.query(`update documents set space = 'old:512', embedded_in = 'old:512 400,50' where id = $1`, [body.id]);
  await one.db.query(`update chunk_vectors set space = 'old:512' where document_id = $1`, [body.id]);
  const third = await startAnother();
  await eventually(async () => {
    const { rows } = await one.db.query('select space from chunk_vectors where document_id = $1', [body.id]);
    return rows.length === 1 && rows[0].space !== 'old:512';
  });
  await third.close();
});
