import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { type FileContent, knowledgePlace, query, settled, upload } from '../support/knowledge.ts';
import { pdfOf } from '../support/pdf.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const refunds = `# Refunds

Customers may return any item within thirty days of delivery. Refunds are paid to the original card within five working days.

# Shipping

Parcels to Norway take nine days and cost 14 euros. Parcels inside Portugal arrive on the next working day.
`;

describe('a document', () => {
  test('is accepted as processing, becomes ready, and can be listed, read and downloaded', async () => {
    const place = await knowledgePlace(app);
    const created = await upload(app, place, 'policy.md', refunds);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^doc_/),
      agent_id: place.agentId,
      filename: 'policy.md',
      size_bytes: Buffer.byteLength(refunds),
      chunk_count: null,
      status: 'processing',
      created_at: expect.any(String),
    });
    const ready = await settled(app, place, created.body.id);
    expect(ready).toEqual({
      ...created.body,
      chunk_count: 1,
      status: 'ready',
      processing: {
        started_at: expect.any(String),
        completed_at: expect.any(String),
        duration_ms: expect.any(Number),
        chunks_done: 1,
        chunks_total: 1,
      },
      reading: { encoding: 'utf-8', notes: [] },
    });
    const { agent_id: _agent, processing: _processing, reading: _reading, ...item } = ready;
    expect((await app.call('GET', place.documents, { as: place.token })).body).toEqual({
      data: [item],
      total: 1,
      limit: 20,
      offset: 0,
    });
    const content = await app.call('GET', `${place.documents}/${ready.id}/content`, { as: place.token });
    expect(content.body).toBe(refunds);
    expect(content.headers.get('content-disposition')).toBe(
      `attachment; filename="policy.md"; filename*=UTF-8''policy.md`,
    );
    expect(content.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('is retrieved by /query and for replies, which cite the chunks that they use', async () => {
    const place = await knowledgePlace(app);
    const { body: document } = await upload(app, place, 'policy.md', refunds);
    await upload(app, place, 'cats.txt', 'Cats sleep sixteen hours a day. A cat has four paws and a tail.');
    await settled(app, place, document.id);
    const asked = await app.call('POST', `/v1/knowledge/${place.agentId}/query`, {
      as: place.token,
      body: { query: 'How long do parcels to Norway take?' },
    });
    expect(asked.status).toBe(200);
    expect(asked.body.query).toBe('How long do parcels to Norway take?');
    expect(asked.body.total_results).toBe(asked.body.results.length);
    const [best] = asked.body.results;
    expect(best).toMatchObject({ document_id: document.id, filename: 'policy.md', chunk_index: 0 });
    expect(best.chunk_id).toMatch(/^chk_/);
    expect(best.similarity).toBeGreaterThan(0);
    expect(best.similarity).toBeLessThanOrEqual(1);

    const { body: conversation } = await app.call('POST', '/v1/conversations', {
      as: place.token,
      body: { agent_id: place.agentId },
    });
    const reply = await app.call('POST', `/v1/conversations/${conversation.id}/messages`, {
      as: place.token,
      body: { content: 'How long do parcels to Norway take?' },
    });
    expect(reply.body.assistant_message.content).toContain('Parcels to Norway take nine days and cost 14 euros.');
    expect(reply.body.assistant_message.content).not.toContain('【');
    const { chunk_id, document_id, filename, chunk_index, place: headings, lines } = best;
    const citation = { chunk_id, document_id, filename, chunk_index, place: headings, lines };
    const { content } = reply.body.assistant_message;
    expect(reply.body.assistant_message.citations).toEqual([{ ...citation, marks: [expect.any(Number)] }]);
    const [mark] = reply.body.assistant_message.citations[0].marks;
    expect(content.slice(0, mark)).toMatch(/Parcels to Norway take nine days and cost 14 euros\.$/);
    expect(reply.body.user_message).not.toHaveProperty('citations');

    const events = [];
    for await (const event of app.stream(`/v1/conversations/${conversation.id}/messages/stream`, {
      as: place.token,
      body: { content: 'When are refunds paid to the original card?' },
    }))
      events.push(event);
    expect(events.at(-1)).toMatchObject({
      event: 'done',
      data: { citations: [{ ...citation, marks: [expect.any(Number)] }] },
    });
    const text = events.map(({ data }) => data.content ?? '').join('');
    const { body: messages } = await app.call('GET', `/v1/conversations/${conversation.id}/messages?limit=1`, {
      as: place.token,
    });
    expect(messages.data[0].content).toBe(text);
    expect(messages.data[0].citations).toEqual(events.at(-1)!.data.citations);
  });

  test('is found by a word that it alone has, among others that are nearly equal', async () => {
    const place = await knowledgePlace(app);
    const documentWith = (word: string) =>
      Array.from({ length: 60 }, (_, n) => {
        const fact = n === 30 ? ` The word ${word} means a lantern with ${word.length} windows.` : '';
        return `${n}. The tide comes and goes, and the bridge stays where it was built.${fact}`;
      }).join('\n\n');
    for (const [name, word] of [
      ['first.txt', 'zq11111111'],
      ['second.md', 'zq840d257f'],
    ] as const) {
      const { body } = await upload(app, place, name, documentWith(word));
      expect((await settled(app, place, body.id)).status).toBe('ready');
    }
    const { results } = await query(app, place, 'What is zq840d257f?', 3);
    expect(results[0]?.content).toContain('zq840d257f');
  });

  test('is invisible at once when it is deleted, and leaves nothing behind', async () => {
    const place = await knowledgePlace(app);
    const { body: document } = await upload(app, place, 'policy.md', refunds);
    await settled(app, place, document.id);
    const ask = () => query(app, place, 'refunds original card');
    expect((await ask()).total_results).toBe(1);
    expect((await app.call('DELETE', `${place.documents}/${document.id}`, { as: place.token })).body).toEqual({
      id: document.id,
      deleted: true,
    });
    expect((await ask()).results).toEqual([]);
    expect((await app.call('GET', `${place.documents}/${document.id}`, { as: place.token })).status).toBe(404);
    expect((await app.call('GET', `${place.documents}/${document.id}/content`, { as: place.token })).status).toBe(404);
    await nothingLeftOf(document.id);
  });

  test('is deleted with its agent', async () => {
    const place = await knowledgePlace(app);
    const { body: document } = await upload(app, place, 'policy.md', refunds);
    await settled(app, place, document.id);
    expect((await app.call('DELETE', `/v1/agents/${place.agentId}`, { as: place.token })).status).toBe(200);
    await nothingLeftOf(document.id);
  });
});

const nothingLeftOf = (id: string) =>
  eventually(async () => {
    const { rows } = await app.db.query(
      `select (select count(*) from chunks where document_id = $1) + (select count(*) from chunk_vectors where document_id = $1)
         + (select count(*) from tasks where key = $1) as left`,
      [id],
    );
    return rows[0].left === '0';
  });

describe('every format is read', () => {
  const formats: [string, FileContent, string, string][] = [
    [
      'notes.txt',
      'The lighthouse at Kap Horn was painted green in 1931.',
      'When was the lighthouse painted green?',
      '1931',
    ],
    [
      'latin.txt',
      new Uint8Array(
        Buffer.from('Die Größe der Brücke über die Weser beträgt 412 Meter. Sie ist sehr schön gebaut.', 'latin1'),
      ),
      'Wie groß ist die Brücke über die Weser?',
      'Größe der Brücke',
    ],
    [
      'wide.txt',
      new Uint8Array(Buffer.from('\ufeffThe harbour of Tromsø closes at midnight.', 'utf16le')),
      'When does the harbour close?',
      'Tromsø closes at midnight',
    ],
    [
      'prices.csv',
      'product;price\nTeapot;19.90\nKettle;34.50\n',
      'price of the kettle',
      'product: Kettle; price: 34.50',
    ],
    [
      'staff.json',
      JSON.stringify({ staff: [{ name: 'Ines Alder', role: 'night watch' }] }),
      'Who is on night watch?',
      'staff[0].name: Ines Alder',
    ],
    [
      'manual.pdf',
      // With the byte order mark that some programs write.
      new Uint8Array(
        Buffer.concat([
          Buffer.from('\ufeff\n'),
          pdfOf(['Page one talks about gears.', 'The gearbox needs 4 litres of oil every winter.']),
        ]),
      ),
      'How much oil does the gearbox need?',
      '4 litres of oil',
    ],
  ];
  test.each(formats)('%s', async (filename, content, question, expected) => {
    const place = await knowledgePlace(app);
    const { body: document } = await upload(app, place, filename, content);
    expect(await settled(app, place, document.id)).toMatchObject({ status: 'ready' });
    const body = await query(app, place, question);
    expect(body.results[0]?.content).toContain(expected);
  });
});
