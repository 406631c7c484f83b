import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { overlapOf } from '../../src/knowledge/document-chunks.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { readEvents } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type KnowledgePlace, knowledgePlace, settled, upload } from '../support/knowledge.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const sentences = Array.from({ length: 400 }, (_, i) => `Sentence number ${i + 1} tells about topic ${(i * 7) % 31}.`);
const list = (place: KnowledgePlace, id: string, parameters = '') =>
  app.call('GET', `${place.documents}/${id}/chunks${parameters}`, { as: place.token });

describe('GET …/documents/:doc_id/chunks', () => {
  test('lists the chunks in order, with the tokens of each and what it repeats of the one before', async () => {
    const place = await knowledgePlace(app);
    const { body: document } = await upload(app, place, 'long.txt', sentences.join(' '));
    const { chunk_count: count } = await settled(app, place, document.id);
    const { body } = await list(place, document.id, '?limit=100');
    expect(body).toMatchObject({ total: count, limit: 100, offset: 0 });
    expect(body.data.map(({ chunk_index: index }: { chunk_index: number }) => index)).toEqual([...Array(count).keys()]);
    const [first, second] = body.data;
    expect(first).toEqual({
      id: expect.stringMatching(/^chk_/),
      chunk_index: 0,
      place: '',
      content: expect.stringContaining('Sentence number 1 '),
      tokens: expect.any(Number),
      overlap: 0,
      lines: { first: 1, last: 1 },
    });
    expect(second.overlap).toBeGreaterThan(0);
    expect(first.content.endsWith(second.content.slice(0, second.overlap))).toBe(true);
    expect((await list(place, document.id, '?limit=1&offset=1')).body.data).toEqual([second]);
  });

  test('finds the chunks that contain a text, in any case, with % and _ as themselves', async () => {
    const place = await knowledgePlace(app);
    const { body: document } = await upload(app, place, 'long.txt', sentences.join(' '));
    await settled(app, place, document.id);
    const found = (await list(place, document.id, '?q=NUMBER%20399%20')).body;
    expect(found.total).toBe(1);
    expect(found.data[0].content).toContain('Sentence number 399 ');
    expect((await list(place, document.id, '?q=%25')).body).toMatchObject({ total: 0, data: [] });
    expect((await list(place, document.id, `?q=${'x'.repeat(201)}`)).status).toBe(400);
  });

  test('is for the owner alone, and empty until the document is ready', async () => {
    const [place, other] = [await knowledgePlace(app), await knowledgePlace(app)];
    const { body: document } = await upload(app, place, 'note.txt', 'Refunds take five days.');
    await settled(app, place, document.id);
    const path = `${place.documents}/${document.id}/chunks`;
    expect((await app.call('GET', path, { as: other.token })).status).toBe(404);
    expect((await app.call('GET', `${other.documents}/${document.id}/chunks`, { as: other.token })).status).toBe(404);
    await app.db.query(`update documents set status = 'processing' where id = $1`, [document.id]);
    expect((await list(place, document.id)).body).toMatchObject({ total: 0, data: [] });
  });
});

describe('overlapOf', () => {
  test.each([
    ['abcab', 'abx', 2],
    ['abc', 'xyz', 0],
    ['', 'abc', 0],
    ['aaa', 'aaaa', 3],
  ])('%j before %j repeats %i', (before, after, length) => expect(overlapOf(before, after)).toBe(length));
});

describe('documentUpdates', () => {
  const follow = async (place: KnowledgePlace, seen: { id: string; status: string }[], signal: AbortSignal) => {
    const query = `subscription ($agentId: ID!) { documentUpdates(agentId: $agentId) { id status } }`;
    const variables = { agentId: place.agentId };
    const response = await app.subscribe({ query, variables }, { as: place.token, signal });
    for await (const { event, data } of readEvents(response)) {
      if (event === 'next') seen.push(data.data?.documentUpdates ?? data.errors[0].extensions);
    }
  };

  test('reports each document until it is ready, to every reader', async () => {
    const place = await knowledgePlace(app);
    const { body: before } = await upload(app, place, 'old.txt', 'Known before anyone followed.');
    await settled(app, place, before.id);
    const leaving = new AbortController();
    const [one, two]: { id: string; status: string }[][] = [[], []];
    const reading = [one, two].map((seen = []) => follow(place, seen, leaving.signal).catch(() => undefined));
    await eventually(() => one?.some(({ id }) => id === before.id) && two?.some(({ id }) => id === before.id));
    const { body: added } = await upload(app, place, 'new.txt', 'Refunds take five days.');
    const isReady = ({ id, status }: { id: string; status: string }) => id === added.id && status === 'READY';
    await eventually(() => one?.some(isReady) && two?.some(isReady));
    leaving.abort();
    await Promise.all(reading);
    expect(one?.filter(({ id }) => id === before.id)).toEqual([{ id: before.id, status: 'READY' }]);
  });

  test('is for the owner of the agent alone', async () => {
    const [place, other] = [await knowledgePlace(app), await knowledgePlace(app)];
    const seen: { id: string; status: string }[] = [];
    await follow({ ...place, token: other.token }, seen, new AbortController().signal);
    expect(seen).toMatchObject([{ code: 'NOT_FOUND' }]);
  });
});
