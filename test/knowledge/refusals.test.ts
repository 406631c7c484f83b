import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeflate } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentDisposition } from '../../rest/adapters/document-content.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import {
  type FileContent,
  fileForm,
  knowledgePlace,
  type KnowledgePlace,
  query,
  settled,
  upload,
} from '../support/knowledge.ts';
import { assemble, encryptedPdf, streamObject } from '../support/pdf.ts';
import { limitsTime } from '../support/wall-clock.ts';

let app: TestApp;
let place: KnowledgePlace;
beforeAll(async () => {
  app = await startTestApp();
  place = await knowledgePlace(app);
  await app.db.query(`update users set plan = 'creator' where id = $1`, [place.userId]);
});
afterAll(() => app.close());

const MB = 1_048_576;
const bytes = (...values: (string | number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat(
      values.map((value) => (typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from(value))),
    ),
  );

describe('an upload is refused', () => {
  const refused: [string, string, FileContent, number, string][] = [
    ['an extension that is not listed', 'report.pdf.exe', 'hello', 415, 'unsupported_media_type'],
    ['no extension', 'README', 'hello', 415, 'unsupported_media_type'],
    ['text that is named like a PDF', 'a.pdf', 'just text', 415, 'unsupported_media_type'],
    ['a PDF that is named like text', 'a.txt', '%PDF-1.7\n…', 415, 'unsupported_media_type'],
    ['a ZIP that is named like CSV', 'a.csv', bytes('PK', [3, 4], 'xx'), 415, 'unsupported_media_type'],
    ['a PNG that is named like Markdown', 'a.md', bytes([0x89], 'PNG\r\n'), 415, 'unsupported_media_type'],
    ['HTML with a PDF behind it', 'a.pdf', '<html></html>%PDF-1.7', 415, 'unsupported_media_type'],
    ['NUL in text', 'a.txt', bytes('hello', [0], 'world, this is text'), 415, 'unsupported_media_type'],
    ['JSON that does not parse', 'a.json', '{"a": 1,}', 415, 'unsupported_media_type'],
    ['JSON that ends too early', 'a.json', '{"a": [1, 2', 415, 'unsupported_media_type'],
    ['an empty file', 'a.txt', '', 400, 'invalid_request'],
    ['a byte more than 10 MB', 'a.txt', 'a'.repeat(10 * MB + 1), 413, 'payload_too_large'],
  ];
  test.each(refused)('%s', async (_what, filename, content, status, code) => {
    const answer = await upload(app, place, filename, content);
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(code);
    expect((await app.call('GET', place.documents, { as: place.token })).body.total).toBe(0);
  });

  test('when the body is not multipart, the file is in another field, or there is no file', async () => {
    const json = await app.call('POST', place.documents, { as: place.token, body: { file: 'x' } });
    expect(json.status).toBe(415);
    const other = await app.call('POST', place.documents, {
      as: place.token,
      body: fileForm('a.txt', 'hello', 'document'),
    });
    expect(other.status).toBe(400);
    expect(other.body.error.details[0]).toMatchObject({ field: 'file' });
    const fields = new FormData();
    fields.append('note', 'no file here');
    expect((await app.call('POST', place.documents, { as: place.token, body: fields })).status).toBe(400);
  });

  test('when it has a second file, and nothing is stored', async () => {
    const body = fileForm('a.txt', 'hello');
    body.append('file', new Blob(['world']), 'b.txt');
    const answer = await app.call('POST', place.documents, { as: place.token, body });
    expect([answer.status, answer.body.error.message]).toEqual([400, 'file must be sent only once']);
    expect(answer.body.error.details[0]).toMatchObject({ field: 'file', code: 'repeated' });
    expect((await app.call('GET', place.documents, { as: place.token })).body.total).toBe(0);
    const { rowCount } = await app.db.query(`select from tasks where kind = 'document.abandon'`);
    expect(rowCount).toBe(0);
  });

  test('with 404 for another user’s agent, with the same body as for none, and nothing is stored', async () => {
    const other = await knowledgePlace(app, { is_public: true });
    const foreign = await upload(app, { ...place, documents: other.documents }, 'a.txt', 'hello');
    const none = await upload(app, { ...place, documents: '/v1/knowledge/none/documents' }, 'a.txt', 'hello');
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(none.body);
    for (const [method, path] of [
      ['GET', other.documents],
      ['GET', `${other.documents}/doc_x`],
      ['POST', `/v1/knowledge/${other.agentId}/query`],
    ] as const) {
      const answer = await app.call(method, path, {
        as: place.token,
        ...(method === 'POST' ? { body: { query: 'x' } } : {}),
      });
      expect(answer.status).toBe(404);
    }
  });

  test('beyond the plan, exactly, however many arrive at once; a failed one does not count', async () => {
    const free = await knowledgePlace(app);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => upload(app, free, `${i}.txt`, `text ${i}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ body }) => body.error?.code === 'plan_limit_exceeded')).toHaveLength(7);
    await app.db.query(
      `update documents set status = 'failed', error_code = 'x', error_message = 'y' where id = (select id from documents where agent_id = $1 and status <> 'failed' limit 1)`,
      [free.agentId],
    );
    expect((await upload(app, free, 'again.txt', 'more text')).status).toBe(201);
    expect((await upload(app, free, 'over.txt', 'more text')).status).toBe(403);
  });

  test('a repeated Idempotency-Key makes one document, and with another file is 422', async () => {
    const post = (content: string) =>
      app.call('POST', place.documents, {
        as: place.token,
        body: fileForm('once.txt', content),
        headers: { 'idempotency-key': 'upload-1' },
      });
    const first = await post('the same');
    const second = await post('the same');
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await post('another')).status).toBe(422);
  });
});

describe('a name', () => {
  test.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\secret\\plan.md', 'plan.md'],
    ['a\u202Etxt.exe.txt', 'atxt.exe.txt'],
    ["'><img onerror=x>.txt", "'><img onerror=x>.txt"],
    [`${'ä'.repeat(300)}.txt`, `${'ä'.repeat(251)}.txt`],
    ['.txt', 'document.txt'],
    ['"Über" 100%.txt', '"Über" 100%.txt'],
    ['a\r\nb.txt', 'ab.txt'],
    ['%41%2F%0d.txt', '%41%2F%0d.txt'],
  ])('%s is stored as %s', async (given, stored) => {
    const { body } = await upload(app, place, given, 'hello there');
    expect(body.filename).toBe(stored.normalize('NFC'));
    const answer = await app.call('GET', `${place.documents}/${body.id}/content`, { as: place.token });
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"\r\n]*"; filename\*=UTF-8''[\w.%!~-]+$/,
    );
  });

  test('cannot end the header that carries it', () => {
    expect(contentDisposition('a;b"\\% (1).txt')).toBe(
      `attachment; filename="a;b___ (1).txt"; filename*=UTF-8''a%3Bb%22%5C%25%20%281%29.txt`,
    );
  });
});

describe('a document that cannot be read ends as failed, with a reason', () => {
  const bombMb = 400;
  const bomb = async (): Promise<Uint8Array<ArrayBuffer>> => {
    const operators = Buffer.alloc(MB, '(aaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj ');
    const packed = await buffer(Readable.from(Array(bombMb).fill(operators)).pipe(createDeflate({ level: 1 })));
    return assemble([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>',
      streamObject(packed, '/Filter /FlateDecode'),
    ]);
  };
  const unreadable: [string, string, () => FileContent, string][] = [
    ['a PDF with a password', 'secret.pdf', encryptedPdf, 'encrypted'],
    ['a PDF that is cut off', 'cut.pdf', () => '%PDF-1.7\n1 0 obj\n<< /Type /Cat', 'unreadable'],
    ['text without a word', 'blank.txt', () => ' \n\t -- \n', 'no_text'],
  ];
  test.each(unreadable)('%s', async (_what, filename, content, code) => {
    const { body } = await upload(app, place, filename, content());
    const failed = await settled(app, place, body.id);
    expect(failed).toMatchObject({ status: 'failed', chunk_count: null, error: { code, message: expect.any(String) } });
    const retried = await app.call('POST', `${place.documents}/${body.id}/retry`, { as: place.token });
    expect(retried).toMatchObject({ status: 200, body: { status: 'processing' } });
    expect(retried.body).not.toHaveProperty('error');
    expect((await settled(app, place, body.id)).error.code).toBe(code);
  });

  test('a bomb, while the service keeps serving requests', limitsTime, async () => {
    const { body } = await upload(app, place, 'bomb.pdf', await bomb());
    const memory = () => process.memoryUsage().rss;
    const before = memory();
    let most = before;
    const waits: number[] = [];
    const failed = await eventually(
      async () => {
        const from = performance.now();
        const answer = await app.call('GET', `${place.documents}/${body.id}`, { as: place.token });
        waits.push(performance.now() - from);
        most = Math.max(most, memory());
        return answer.body.status === 'processing' ? null : answer.body;
      },
      { timeoutMs: 60_000 },
    );
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'too_complex' } });
    expect(most - before).toBeLessThan((bombMb / 2) * MB);
    expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)]).toBeLessThan(1_000);
  });

  test('extracts JSON that is nested deeper than the call stack', async () => {
    const depth = 200_000;
    const { body } = await upload(
      app,
      place,
      'deep.json',
      `${'['.repeat(depth)}"the bottom of the well"${']'.repeat(depth)}`,
    );
    expect(await settled(app, place, body.id)).toMatchObject({ status: 'ready' });
    expect((await query(app, place, 'bottom of the well')).results[0].content).toContain('the bottom of the well');
  });
});

describe('the model calls that documents cause', () => {
  test('are limited by the bytes of a day, which count again after a deletion and for a replacement', async () => {
    const own = await knowledgePlace(app);
    const content = 'The lighthouse opens at nine.';
    const setBytes = (left: number) =>
      app.db.query(
        `insert into usage_counters (user_id, day, messages, document_bytes) values ($1, (now() at time zone 'utc')::date, 0, $2)
         on conflict (user_id, day) do update set document_bytes = $2`,
        [own.userId, 2 * 5 * 10 * MB - left],
      );
    await setBytes(2 * content.length);
    const { body: first } = await upload(app, own, 'a.txt', content);
    await settled(app, own, first.id);
    await app.call('DELETE', `${own.documents}/${first.id}`, { as: own.token });
    expect((await upload(app, own, 'a.txt', content)).status).toBe(201);
    const over = await upload(app, own, 'b.txt', content);
    expect([over.status, over.body.error.code]).toEqual([429, 'rate_limited']);
    expect(over.body.error.message).toContain('100 MB of documents a day');
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await app.call('GET', own.documents, { as: own.token })).body.total).toBe(1);
  });

  test('are limited by the queries of a minute', async () => {
    const RATE_LIMITS = JSON.stringify({ knowledgeQueries: { free: 2 } });
    const strict = await startTestApp({ databaseUrl: app.databaseUrl, env: { DATA_DIR: app.dataDir, RATE_LIMITS } });
    try {
      const own = await knowledgePlace(app);
      const ask = () =>
        strict.call('POST', `/v1/knowledge/${own.agentId}/query`, { as: own.token, body: { query: 'When?' } });
      const statuses = [await ask(), await ask(), await ask()].map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      await strict.close();
    }
  });
});
