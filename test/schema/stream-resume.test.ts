import { createEventSource, type EventSourceMessage } from 'eventsource-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus, readEvents } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createRoom } from '../support/rooms.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Subscribes with eventsource-client over GET, as an EventSource of a browser would. */
function follow(query: string, token: string) {
  const events: EventSourceMessage[] = [];
  const statuses: number[] = [];
  let leave = new AbortController();
  const source = createEventSource({
    url: `${app.baseUrl}/graphql/stream?query=${encodeURIComponent(query)}`,
    headers: { authorization: `Bearer ${token}` },
    fetch: async (url, init) => {
      leave = new AbortController();
      const signal = AbortSignal.any([leave.signal, init?.signal as AbortSignal]);
      const response = await fetch(url, { ...(init as RequestInit), signal });
      statuses.push(response.status);
      return response;
    },
    onMessage: (event) => void events.push(event),
  });
  const dataOf = () =>
    events.flatMap(({ event, data }) =>
      event === 'next'
        ? [(JSON.parse(data) as { data: Record<string, { id: string; data: { name: string } }> }).data]
        : [],
    );
  return { events, statuses, source, dataOf, lose: () => leave.abort(new Error('the connection was lost')) };
}

test('the events of the account resume after a lost connection, whatever the arguments say', async () => {
  const { token } = await app.signUp({ plan: 'creator' });
  const first = await app.createAgent(token, { name: 'first' });
  const { body } = await app.graphql('{ recentEvents(limit: 1) { data { id } } }', { as: token });
  const after: string = body.data.recentEvents.data[0].id;
  await app.call('PUT', `/v1/agents/${first.id}`, { as: token, body: { name: 'second' } });
  const reader = follow(`subscription { events(after: "${after}") { id data } }`, token);
  await eventually(() => reader.dataOf().some(({ events }) => events?.data.name === 'second'));
  reader.lose();
  await app.call('PUT', `/v1/agents/${first.id}`, { as: token, body: { name: 'third' } });
  // Earlier events may be repeated while an older transaction is open.
  const names = () => [...new Map(reader.dataOf().map(({ events }) => [events?.id, events?.data.name])).values()];
  await eventually(() => names().includes('third'));
  reader.source.close();
  expect(names().filter((name) => name !== 'first')).toEqual(['second', 'third']);
  expect(reader.events.map(({ id }) => id)).toEqual(reader.dataOf().map(({ events }) => events?.id));
});

test('the events of a conversation and of a room resume after a lost connection', async () => {
  const room = await createRoom(app, { people: 1 });
  const [owner] = room.people;
  const { id } = await app.createConversation(owner!.token);
  const say = async (content: string) => {
    await room.post(owner!, content);
    const send = app.call('POST', `/v1/conversations/${id}/messages`, { as: owner!.token, body: { content } });
    expectStatus(await send, 201);
  };
  const readers = [
    follow(`subscription { conversationEvents(id: "${id}") { type data } }`, owner!.token),
    follow(`subscription { roomEvents(id: "${room.id}") { type data } }`, owner!.token),
  ] as const;
  const sent = (reader: (typeof readers)[number]): string[] =>
    reader
      .dataOf()
      .map((data) => Object.values(data)[0] as unknown as { type: string; data: { role?: string; content: string } })
      .filter(({ type, data }) => type === 'message.created' && data.role !== 'assistant')
      .map(({ data }) => data.content);
  for (const reader of readers) await eventually(() => reader.events.length > 0);
  await say('one');
  for (const reader of readers) await eventually(() => sent(reader).length === 1);
  for (const reader of readers) reader.lose();
  await say('two');
  for (const reader of readers) await eventually(() => sent(reader).length === 2, { timeoutMs: 15_000 });
  for (const reader of readers) reader.source.close();
  for (const reader of readers) expect(sent(reader)).toEqual(['one', 'two']);
});

test('a subscription that has ended, or cannot begin, is 204 to a client that reconnects', async () => {
  const { token } = await app.signUp();
  const { id } = await app.createConversation(token);
  const message = `subscription { messageStream(conversationId: "${id}", input: { content: "Hi" }) {
    ... on MessageDelta { content } ... on MessageDone { messageId } } }`;
  for (const query of [
    message,
    'subscription { conversationEvents(id: "conv_x") { type } }',
    'subscription { nothing }',
  ]) {
    const reader = follow(query, token);
    await eventually(() => reader.source.readyState === 'closed', { timeoutMs: 15_000 });
    expect(reader.statuses).toEqual([200, 204]);
    expect(reader.events.at(-1)?.event).toBe('complete');
  }
  const { rows } = await app.db.query(`select count(*)::int as n from messages where conversation_id = $1`, [id]);
  expect(rows[0].n).toBe(3);
});

test('a failure after which a client should reconnect does not end the stream for good', async () => {
  const { token } = await app.signUp();
  const query = 'subscription { events { id } }';
  const leave = new AbortController();
  const options = { as: token, body: { query }, headers: { accept: 'text/event-stream' }, signal: leave.signal };
  for (let n = 0; n < 25; n++) await app.send('POST', '/graphql/stream', options);
  const ids: string[] = [];
  for await (const { id } of readEvents(await app.send('POST', '/graphql/stream', options))) ids.push(id);
  expect(ids).not.toContain('end');
  leave.abort();
});
