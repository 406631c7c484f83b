import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer } from '../support/client.ts';
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
import { encryptedPdf } from '../support/pdf.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

function replace(
  place: KnowledgePlace,
  replaced: string,
  filename: string,
  content: FileContent,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = fileForm(filename, content);
  body.append('replaces', replaced);
  return app.call('POST', place.documents, { as: place.token, body, headers });
}

/** Uploads a document and waits until it is ready. */
async function ready(place: KnowledgePlace, filename: string, content: string): Promise<string> {
  const { body } = await upload(app, place, filename, content);
  expect((await settled(app, place, body.id)).status).toBe('ready');
  return body.id as string;
}

/** Holds the processing of documents that contain the word until `release` is called. */
function hold(word: string): { release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  app.model.script({ endpoint: 'embeddings', when: word, gate: promise });
  return { release: resolve };
}

const names = async (place: KnowledgePlace): Promise<string[]> =>
  (await app.call('GET', place.documents, { as: place.token })).body.data
    .map(({ filename }: { filename: string }) => filename)
    .toSorted();

const counted = async (place: KnowledgePlace): Promise<number> =>
  (await app.call('GET', '/v1/billing/usage', { as: place.token })).body.usage.knowledge_docs;

const fill = async (place: KnowledgePlace): Promise<string[]> =>
  Promise.all(Array.from({ length: 5 }, (_, n) => ready(place, `${n}.txt`, `Rule ${n} is old.`)));

describe('an upload that replaces a document', () => {
  test('leaves it in use until the new one is ready, and then nothing of it is left', async () => {
    const place = await knowledgePlace(app);
    const old = await ready(place, 'old.txt', 'The office opens at nine.');
    const held = hold('ten');
    const { status, body } = await replace(place, old, 'new.txt', 'The office opens at ten.');
    expect([status, body.status, body.replaces]).toEqual([201, 'processing', old]);
    const ask = async () => (await query(app, place, 'When does the office open?')).results[0]?.content;
    expect(await ask()).toContain('nine');
    held.release();
    const after = await settled(app, place, body.id);
    expect(after.status).toBe('ready');
    expect(after).not.toHaveProperty('replaces');
    expect(await names(place)).toEqual(['new.txt']);
    expect(await ask()).toContain('ten');
    expect((await app.call('GET', `${place.documents}/${old}/content`, { as: place.token })).status).toBe(404);
    await eventually(async () => {
      const { rows } = await app.db.query(
        `select (select count(*) from chunks where document_id = $1) + (select count(*) from chunk_vectors where document_id = $1)
          + (select count(*) from tasks where key = $1) as left`,
        [old],
      );
      return rows[0].left === '0';
    });
  });

  test('keeps the document when its replacement fails, and a later replacement replaces both', async () => {
    const place = await knowledgePlace(app);
    const old = await ready(place, 'old.txt', 'The office opens at nine.');
    const { body } = await replace(place, old, 'secret.pdf', encryptedPdf());
    const failed = await settled(app, place, body.id);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'encrypted' }, replaces: old });
    expect((await app.call('GET', `${place.documents}/${old}`, { as: place.token })).body.status).toBe('ready');
    const next = await replace(place, body.id, 'new.txt', 'The office opens at ten.');
    expect(next.body.replaces).toBe(old);
    expect((await settled(app, place, next.body.id)).status).toBe('ready');
    expect(await names(place)).toEqual(['new.txt']);
  });

  test('replaces a document that is still being processed', async () => {
    const place = await knowledgePlace(app);
    const held = hold('wrong');
    const { body: first } = await upload(app, place, 'first.txt', 'The wrong file.');
    const { body } = await replace(place, first.id, 'new.txt', 'The office opens at ten.');
    expect((await settled(app, place, body.id)).status).toBe('ready');
    held.release();
    expect([await names(place), await counted(place)]).toEqual([['new.txt'], 1]);
  });

  test('replaces a document that has failed', async () => {
    const place = await knowledgePlace(app);
    const { body: failed } = await upload(app, place, 'secret.pdf', encryptedPdf());
    await settled(app, place, failed.id);
    const { body } = await replace(place, failed.id, 'open.txt', 'The office opens at nine.');
    expect((await settled(app, place, body.id)).status).toBe('ready');
    expect(await names(place)).toEqual(['open.txt']);
  });

  test('becomes an ordinary document when the other one is deleted meanwhile', async () => {
    const place = await knowledgePlace(app);
    const old = await ready(place, 'old.txt', 'The office opens at nine.');
    const held = hold('eleven');
    const { body } = await replace(place, old, 'new.txt', 'The office opens at eleven.');
    expect((await app.call('DELETE', `${place.documents}/${old}`, { as: place.token })).status).toBe(200);
    expect((await app.call('GET', `${place.documents}/${body.id}`, { as: place.token })).body).not.toHaveProperty(
      'replaces',
    );
    held.release();
    expect((await settled(app, place, body.id)).status).toBe('ready');
    expect([await names(place), await counted(place)]).toEqual([['new.txt'], 1]);
  });

  test('is deleted with its agent', async () => {
    const place = await knowledgePlace(app);
    const old = await ready(place, 'old.txt', 'The office opens at nine.');
    const held = hold('twelve');
    const { body } = await replace(place, old, 'new.txt', 'The office opens at twelve.');
    await app.call('DELETE', `/v1/agents/${place.agentId}`, { as: place.token });
    held.release();
    await eventually(async () => {
      const { rows } = await app.db.query(
        `select (select count(*) from documents where id = any ($1)) + (select count(*) from tasks where key = any ($1)) as left`,
        [[old, body.id]],
      );
      return rows[0].left === '0';
    });
  });

  test('is sent by GraphQL too', async () => {
    const place = await knowledgePlace(app);
    const old = await ready(place, 'old.txt', 'The office opens at nine.');
    const { body } = await app.call('POST', '/graphql', {
      as: place.token,
      body: {
        query: `mutation ($agentId: ID!, $input: UploadDocumentInput!) {
          uploadDocument(agentId: $agentId, input: $input) { id replaces }
        }`,
        variables: {
          agentId: place.agentId,
          input: {
            file: { filename: 'new.txt', base64: Buffer.from('It opens at ten.').toString('base64') },
            replaces: old,
          },
        },
      },
    });
    expect(body.data.uploadDocument.replaces).toBe(old);
    await settled(app, place, body.data.uploadDocument.id);
    expect(await names(place)).toEqual(['new.txt']);
  });
});

describe('at the limit of the plan', () => {
  test('a document can be replaced, which adds nothing to the count, and no other can be added', async () => {
    const place = await knowledgePlace(app);
    const [first = '', second = ''] = await fill(place);
    const held = [hold('alder'), hold('birch')];
    const { body: one } = await replace(place, first, 'a.txt', 'Rule alder.');
    const { body: other } = await replace(place, second, 'b.txt', 'Rule birch.');
    expect([one.status, other.status, await counted(place)]).toEqual(['processing', 'processing', 5]);
    const refused = await upload(app, place, 'c.txt', 'Rule three.');
    expect([refused.status, refused.body.error.code]).toEqual([403, 'plan_limit_exceeded']);
    for (const { release } of held) release();
    for (const { id } of [one, other]) expect((await settled(app, place, id)).status).toBe('ready');
    expect([await counted(place), (await names(place)).length]).toEqual([5, 5]);
    expect((await upload(app, place, 'c.txt', 'Rule three.')).status).toBe(403);
  });

  test('a document has one replacement in progress, however many arrive at once, and a replacement has none', async () => {
    const place = await knowledgePlace(app);
    const [first = ''] = await fill(place);
    const { body: failed } = await replace(place, first, 'secret.pdf', encryptedPdf());
    await settled(app, place, failed.id);
    const gate = Promise.withResolvers<void>();
    app.model.script({ endpoint: 'embeddings', when: 'willow', gate: gate.promise, times: 4 });
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => replace(place, first, `${n}.md`, `Rule willow ${n}.`)),
    );
    const [created, ...refused] = answers.toSorted((a, b) => a.status - b.status);
    expect(created?.status).toBe(201);
    const conflict = { status: 409, body: { error: { code: 'conflict' } } };
    for (const answer of refused) expect(answer).toMatchObject(conflict);
    expect(await replace(place, created?.body.id, 'next.txt', 'Rule next.')).toMatchObject(conflict);
    const retry = () => app.call('POST', `${place.documents}/${failed.id}/retry`, { as: place.token });
    expect(await retry()).toMatchObject(conflict);
    expect(await counted(place)).toBe(5);
    gate.resolve();
    expect((await settled(app, place, created?.body.id)).status).toBe('ready');
    expect(await names(place)).not.toContain('secret.pdf');
    expect([await counted(place), (await names(place)).length]).toEqual([5, 5]);
  });

  test('a failed replacement can be processed again', async () => {
    const place = await knowledgePlace(app);
    const [first = ''] = await fill(place);
    const { body } = await replace(place, first, 'secret.pdf', encryptedPdf());
    await settled(app, place, body.id);
    expect((await app.call('POST', `${place.documents}/${body.id}/retry`, { as: place.token })).status).toBe(200);
    expect(await settled(app, place, body.id)).toMatchObject({ status: 'failed', replaces: first });
  });
});

describe('a replacement is refused', () => {
  test('with 404 for a document of another agent, of another account or that does not exist, and nothing is stored', async () => {
    const [place, other] = [await knowledgePlace(app), await knowledgePlace(app)];
    const { id: agentId } = await app.createAgent(place.token, { greeting_message: 'Hello.' });
    const elsewhere = { ...place, agentId, documents: `/v1/knowledge/${agentId}/documents` };
    for (const id of [await ready(elsewhere, 'a.txt', 'One.'), await ready(other, 'a.txt', 'Two.'), 'doc_x', '💥'])
      expect(await replace(place, id, 'new.txt', 'Three.')).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      });
    expect(await names(place)).toEqual([]);
    const { rowCount } = await app.db.query(`select from tasks where kind = 'document.abandon'`);
    expect(rowCount).toBe(0);
  });

  test('with 422 when its Idempotency-Key was used for the replacement of another document', async () => {
    const place = await knowledgePlace(app);
    const [one, two] = [await ready(place, 'a.txt', 'One.'), await ready(place, 'b.txt', 'Two.')];
    const send = (id: string) => replace(place, id, 'new.txt', 'Three.', { 'idempotency-key': 'replace-1' });
    const first = await send(one);
    expect((await send(one)).body).toEqual(first.body);
    expect((await send(two)).status).toBe(422);
  });
});
