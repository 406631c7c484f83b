import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { pdfOf } from '../support/pdf.ts';
import {
  fileForm,
  type FileContent,
  type KnowledgePlace,
  knowledgePlace,
  query,
  settled,
  upload,
} from '../support/knowledge.ts';

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

describe('the detail of a document', () => {
  test('says what could not be read, and the list does not', async () => {
    const { body } = await upload(app, place, 'prices.csv', 'name,price\nTea,3\n"Oil,4\nGas,5');
    const document = await settled(app, place, body.id);
    expect(document.reading).toEqual({
      encoding: 'utf-8',
      notes: [
        {
          code: 'rows_unreadable',
          count: 1,
          places: ['row 3 (line 3)'],
          message: 'One row has a quotation mark without its counterpart. It is read as plain text.',
        },
      ],
    });
    const list = await app.call('GET', place.documents, { as: place.token });
    expect(list.body.data[0]).not.toHaveProperty('reading');
    await app.call('DELETE', `${place.documents}/${document.id}`, { as: place.token });
  });

  test('says that an encoding was guessed, and the upload can state it', async () => {
    const text = Buffer.from('89bf8a69955c', 'hex');
    const guessed = await read('a.txt', Uint8Array.from([...Buffer.from('A: '), ...text]));
    expect(guessed.document.reading.notes).toMatchObject([
      { code: 'encoding_guessed', message: expect.stringContaining('upload the file again and state its encoding') },
    ]);
    const form = fileForm('a.txt', Uint8Array.from([...Buffer.from('A: '), ...text]));
    form.append('encoding', 'Shift-JIS');
    const { body } = await app.call('POST', place.documents, { as: place.token, body: form });
    const document = await settled(app, place, body.id);
    expect(document.reading).toEqual({ encoding: 'shift_jis', notes: [] });
    const chunks = await app.call('GET', `${place.documents}/${document.id}/chunks`, { as: place.token });
    expect(chunks.body.data[0]).toMatchObject({ content: 'A: 価格表', lines: { first: 1, last: 1 } });
    await app.call('DELETE', `${place.documents}/${document.id}`, { as: place.token });
  });

  test('names an unknown encoding as the fault of the upload', async () => {
    const form = fileForm('a.txt', 'text');
    form.append('encoding', 'utf-99');
    const { status, body } = await app.call('POST', place.documents, { as: place.token, body: form });
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.details).toMatchObject([{ field: 'encoding' }]);
  });

  test.each([
    ['a.json', '{}', 'no_text', 'The file contains no letters or digits.'],
    ['a.txt', '😀 😀', 'no_text', 'The file contains no letters or digits.'],
    ['a.jsonl', 'not\njson', 'unreadable', 'No line of the file is valid JSON. Each line must be one value.'],
  ])('gives the reason why %s with %s failed', async (filename, content, code, message) => {
    const { document } = await read(filename, content);
    expect(document).toMatchObject({ status: 'failed', error: { code, message } });
  });
});

test.each([
  ['a.jsonl', '{"name": "Tea"}\n{"name": "Oil"}', 'name: Tea\nname: Oil'],
  ['a.ndjson', '{"name": "Tea"}', 'name: Tea'],
  ['a.tsv', 'name\tprice\nTea\t3', 'name: Tea; price: 3'],
  ['a.markdown', '# Tea', '# Tea'],
  ['a.LOG', '12:00 started', '12:00 started'],
])('a file named %s is read', async (filename, content, text) => {
  const { document, chunks } = await read(filename, content);
  expect(document.status).toBe('ready');
  expect(chunks[0].content).toBe(text);
});

test('JSON with one value a line is refused with advice', async () => {
  const { status, document } = await read('a.json', '{"a": 1}\n{"a": 2}');
  expect([status, document.error.message]).toEqual([
    415,
    'The content of the file is not valid JSON, although its name ends in .json. A file with one value a line must be named .jsonl.',
  ]);
});

test('a result and a citation have the rows and lines of the passage', async () => {
  const { body } = await upload(app, place, 'prices.csv', 'product,price\n"Oslo\nlamp",49.90\nBergen chair,120.00');
  await settled(app, place, body.id);
  const { results } = await query(app, place, 'Bergen chair');
  expect(results[0]).toMatchObject({
    place: 'rows 2–3',
    rows: { first: 2, last: 3 },
    lines: { first: 2, last: 4 },
  });
  expect(results[0]).not.toHaveProperty('pages');
});

test.each([
  ['the headers of a response', 'HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n'],
  ['the commands of a print job', '\x1b%-12345X@PJL SET COPIES=1\r\n@PJL ENTER LANGUAGE=PDF\r\n'],
])('a PDF behind %s is read', async (_what, before) => {
  const { document, chunks } = await read('a.pdf', new Uint8Array([...Buffer.from(before), ...pdfOf(['Oslo lamp'])]));
  expect(document.status).toBe('ready');
  expect(chunks[0]).toMatchObject({ content: 'Oslo lamp', pages: { first: 1, last: 1 } });
});
