import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type FileContent, type KnowledgePlace, knowledgePlace, settled, upload } from '../support/knowledge.ts';

let app: TestApp;
let place: KnowledgePlace;
beforeAll(async () => {
  app = await startTestApp();
  place = await knowledgePlace(app);
});
afterAll(() => app.close());

/** Uploads a document, waits until it is ready or failed, and returns it with the text of its chunks; deletes it. */
async function read(filename: string, content: FileContent) {
  const { status, body } = await upload(app, place, filename, content);
  if (status !== 201) return { status, document: body, chunks: [] };
  const document = await settled(app, place, body.id);
  const address = `${place.documents}/${document.id}`;
  const chunks = await app.call('GET', `${address}/chunks?limit=100`, { as: place.token });
  await app.call('DELETE', address, { as: place.token });
  return { status, document, chunks: chunks.body.data };
}

describe('a document with line and paragraph separators', () => {
  const text = 'one\u2028two\u2029three\u0085four';
  test.each([
    ['a.txt', text],
    ['a.md', `# ${text}`],
    ['a.csv', `name\n${text}`],
    ['a.json', JSON.stringify([text])],
  ])('is read, as %s', async (filename, content) => {
    const { document, chunks } = await read(filename, content);
    expect(document).toMatchObject({ status: 'ready', chunk_count: 1 });
    expect(chunks[0].content).toContain(text);
  });
});
