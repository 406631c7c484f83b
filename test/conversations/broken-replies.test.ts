import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus, readEvents, type SseEvent } from '../support/client.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());
beforeEach(() => app.model.reset());

const begin = async (): Promise<string> => (await app.createConversation(ada.token)).id;
const send = (id: string, content: string, headers: Record<string, string> = {}) =>
  app.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content }, headers });
const messagesOf = async (id: string) => {
  const list = await app.call('GET', `/v1/conversations/${id}/messages`, { as: ada.token });
  return expectStatus(list, 200).body.data.toReversed();
};
const sentToday = async (): Promise<number> =>
  expectStatus(await app.call('GET', '/v1/billing/usage', { as: ada.token }), 200).body.usage.messages_sent;

describe('a reply that shows nothing', () => {
  test.each([[[' ', '\n\t']], [['\u200b', '\u2063']], [['\u3164']]])('fails and is refunded: %j', async (deltas) => {
    const id = await begin();
    const before = await sentToday();
    app.model.script({ when: 'Say nothing', deltas });
    const { body } = expectStatus(await send(id, 'Say nothing'), 502);
    expect(body.error).toMatchObject({ code: 'upstream_error', message: expect.stringContaining('empty reply') });
    expect((await messagesOf(id)).at(-1)).toMatchObject({ role: 'user', content: 'Say nothing' });
    expect(await sentToday()).toBe(before);
  });
});

describe('a reply that breaks off after text was shown', () => {
  const breakOff = (when: string): void =>
    app.model.script({ when, deltas: ['Half of', ' a reply'], fault: { kind: 'drop', after: 2 } });
  async function stream(id: string, content: string, headers: Record<string, string> = {}): Promise<SseEvent[]> {
    const path = `/v1/conversations/${id}/messages/stream`;
    const response = await app.send('POST', path, { as: ada.token, body: { content }, headers });
    const events: SseEvent[] = [];
    for await (const event of readEvents(response)) events.push(event);
    return events;
  }
  const stored = async (id: string): Promise<(string | boolean | undefined)[][]> =>
    (await messagesOf(id)).slice(1).map(({ role, content, broken }: Record<string, string>) => [role, content, broken]);
  const asked = ['user', 'Tell me all', undefined];
  const broken = ['assistant', 'Half of a reply', true];

  test('stays in the conversation, marked as broken, and is refunded', async () => {
    const id = await begin();
    const before = await sentToday();
    breakOff('Tell me all');
    const events = await stream(id, 'Tell me all');
    expect(await stored(id)).toEqual([asked, broken]);
    const [, , message] = await messagesOf(id);
    expect(events.at(-1)).toMatchObject({
      event: 'error',
      data: { code: 'upstream_error', message: expect.stringContaining('broke off'), message_id: message.id },
    });
    expect(await sentToday()).toBe(before);
  });

  test.each([
    ['the same message', {}, {}],
    ['the same key', { 'idempotency-key': 'a-key-of-ada' }, { 'idempotency-key': 'a-key-of-ada' }],
  ])('is replaced by the reply to %s, and charged once', async (_, first, second) => {
    const id = await begin();
    const before = await sentToday();
    breakOff('Tell me all');
    await stream(id, 'Tell me all', first);
    app.model.script({ when: 'Tell me all', deltas: ['All of it'] });
    expect((await stream(id, 'Tell me all', second)).at(-1)).toMatchObject({ event: 'done' });
    expect(await stored(id)).toEqual([asked, ['assistant', 'All of it', undefined]]);
    expect(await sentToday()).toBe(before + 1);
  });

  test('again is replaced by what was shown last', async () => {
    const id = await begin();
    breakOff('Tell me all');
    await stream(id, 'Tell me all');
    app.model.script({ when: 'Tell me all', deltas: ['A third'], fault: { kind: 'end', after: 1 } });
    await stream(id, 'Tell me all');
    expect(await stored(id)).toEqual([asked, ['assistant', 'A third', true]]);
  });

  test('can be regenerated, also again under the key of an attempt that broke off', async () => {
    const id = await begin();
    breakOff('Tell me all');
    await stream(id, 'Tell me all');
    const [, , message] = await messagesOf(id);
    const regenerate = (headers: Record<string, string>) =>
      app.call('POST', `/v1/conversations/${id}/messages/${message.id}/regenerate`, { as: ada.token, headers });
    breakOff('Tell me all');
    const headers = { 'idempotency-key': 'another-key-of-ada' };
    expectStatus(await regenerate(headers), 502);
    app.model.script({ when: 'Tell me all', deltas: ['All of it'] });
    expectStatus(await regenerate(headers), 201);
    expect(await stored(id)).toEqual([asked, ['assistant', 'All of it', undefined]]);
  });

  test('does not replace a complete reply that was regenerated', async () => {
    const id = await begin();
    app.model.script({ when: 'Tell me all', deltas: ['All of it'] });
    await stream(id, 'Tell me all');
    const [, , message] = await messagesOf(id);
    breakOff('Tell me all');
    const path = `/v1/conversations/${id}/messages/${message.id}/regenerate`;
    expectStatus(await app.call('POST', path, { as: ada.token }), 502);
    expect(await stored(id)).toEqual([asked, ['assistant', 'All of it', undefined]]);
    const { rows } = await app.db.query('select content, active from messages where conversation_id = $1 and broken', [
      id,
    ]);
    expect(rows).toEqual([{ content: 'Half of a reply', active: false }]);
  });

  test('is followed by the next message, whose prompt shows where it ends', async () => {
    const id = await begin();
    breakOff('Tell me all');
    await stream(id, 'Tell me all');
    expectStatus(await send(id, 'Please continue'), 201);
    const prompt = app.model.requests.at(-1)?.body['messages'] as { role: string; content: string }[];
    const turns = app.model.requests
      .map(({ body }) => body['messages'] as typeof prompt)
      .find((messages) => messages.at(-1)?.content === 'Please continue');
    expect(turns?.slice(-3)).toEqual([
      { role: 'user', content: 'Tell me all' },
      { role: 'assistant', content: 'Half of a reply […]' },
      { role: 'user', content: 'Please continue' },
    ]);
    expect((await stored(id)).map(([role]) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  test('is an event, and part of exports, with its mark', async () => {
    const id = await begin();
    breakOff('Tell me all');
    await stream(id, 'Tell me all');
    const { rows } = await app.db.query(
      `select type, data from outbox_events where data->>'conversation_id' = $1 order by seq desc limit 2`,
      [id],
    );
    expect(rows.map(({ type }) => type).sort()).toEqual(['message.created', 'message.failed']);
    const created = rows.find(({ type }) => type === 'message.created');
    expect(created.data).toMatchObject({ role: 'assistant', content: 'Half of a reply', broken: true });
    const [{ sequence: one }, { sequence: other }] = rows.map(({ data }) => data);
    expect(Math.abs(one - other)).toBe(1);
    const exported = (format: string) =>
      app.send('GET', `/v1/conversations/${id}/export?format=${format}`, { as: ada.token }).then((it) => it.text());
    expect(JSON.parse(await exported('json')).messages.at(-1)).toMatchObject({ broken: true });
    expect(await exported('markdown')).toContain('Half of a reply\n\n*This reply broke off.*');
  });

  test('leaves no message if only blanks were shown', async () => {
    const id = await begin();
    app.model.script({ when: 'Tell me all', deltas: ['\n', ' '], fault: { kind: 'drop', after: 2 } });
    await stream(id, 'Tell me all');
    expect(await stored(id)).toEqual([asked]);
  });
});

describe('the wait that the provider requests', () => {
  test.each([
    [
      'a send',
      (id: string) => app.send('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content: 'Hi' } }),
    ],
    [
      'a stream',
      (id: string) =>
        app.send('POST', `/v1/conversations/${id}/messages/stream`, { as: ada.token, body: { content: 'Hi' } }),
    ],
  ])('reaches the client of %s', async (_, request) => {
    app.model.script({ when: 'Hi', status: 429, retryAfterSeconds: 77 });
    const response = await request(await begin());
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '77']);
  });

  test('reaches a client that reads how the attempt ended later', async () => {
    const id = await begin();
    app.model.script({ when: 'Hi', status: 429, retryAfterSeconds: 77 });
    await send(id, 'Hi');
    const { rows } = await app.db.query('select id from generations where conversation_id = $1', [id]);
    const path = `/v1/conversations/${id}/generations/${rows[0].id}/stream`;
    const response = await app.send('GET', path, { as: ada.token });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(60);
  });
});
