import { once } from 'node:events';
import { type Client, type ClientOptions, createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectLimitMs } from '../../src/realtime/socket/wire.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { freeze } from '../support/freeze.ts';
import { limitsTime } from '../support/wall-clock.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const open = (connectionParams: ClientOptions['connectionParams'], more: Partial<ClientOptions> = {}): Client =>
  createClient({
    url: `${app.baseUrl.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    ...more,
  });

const conversationEvents = `
  subscription ($id: ID!, $after: String) { conversationEvents(id: $id, after: $after) { type offset data } }`;

interface Event {
  type: string;
  offset: string | null;
  data: Record<string, unknown>;
}

test('the client of graphql-ws follows a conversation, sends over a subscription and completes', async () => {
  const { token } = await app.signUp();
  const { id } = await app.createConversation(token);
  const client = open({ Authorization: `Bearer ${token}` });
  const events = client.iterate<{ conversationEvents: Event }>({ query: conversationEvents, variables: { id } });
  expect((await events.next()).value.data.conversationEvents).toMatchObject({
    type: 'subscribed',
    data: { resumed: 'from_start' },
  });
  const pieces: string[] = [];
  const query = `subscription { messageStream(conversationId: "${id}", input: { content: "Hi" }) {
    ... on MessageDelta { content } ... on MessageDone { messageId } } }`;
  for await (const { data } of client.iterate<{ messageStream: { content?: string; messageId?: string } }>({ query }))
    if (data?.messageStream.content) pieces.push(data.messageStream.content);
  const reply = pieces.join('');
  let text = '';
  for await (const { data } of events) {
    if (!data) continue;
    const { type, data: of } = data.conversationEvents;
    if (type === 'reply.delta') text += String(of['content']);
    if (type !== 'message.created' || of['role'] !== 'assistant') continue;
    expect(of['content']).toBe(reply);
    break;
  }
  // A reply that ended before it was read arrives only as its message.
  expect([reply, '']).toContain(text);
  expect(pieces.length).toBeGreaterThan(0);
  await client.dispose();
});

test('a connection without connection_init is closed with 4408, unless it arrived while the process was frozen', async () => {
  const { token } = await app.signUp();
  const [silent, early] = await Promise.all([openRaw(), openRaw()]);
  early.socket.send(JSON.stringify({ type: 'connection_init', payload: { token } }));
  freeze(connectLimitMs + 1_000);
  expect(JSON.parse(String((await once(early.socket, 'message'))[0]))).toEqual({ type: 'connection_ack' });
  expect(await silent.closed).toBe(4408);
  early.socket.close();
  expect(await early.closed).not.toBe(4408);
});

async function openRaw(): Promise<{ socket: WebSocket; closed: Promise<number> }> {
  const socket = new WebSocket(`${app.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  return { socket, closed };
}

test('errors have the shapes of the service, and queries and mutations are refused', async () => {
  const { token } = await app.signUp();
  const client = open({ token });
  const resultOf = async (query: string): Promise<unknown> => {
    try {
      return (await client.iterate({ query }).next()).value;
    } catch (error) {
      return { errors: error };
    }
  };
  const refused = { errors: [{ extensions: { code: 'INVALID_REQUEST' } }] };
  expect(await resultOf('{ me { id } }')).toMatchObject(refused);
  expect(await resultOf('mutation { logout { message } }')).toMatchObject(refused);
  const deep = `subscription { conversationEvents(id: "x") ${'{ type '.repeat(20)}${'}'.repeat(20)} }`;
  const wide = `subscription { ${Array.from({ length: 40 }, (_, n) => `a${n}: events { id }`).join(' ')} }`;
  const long = `subscription { events { ${'id '.repeat(3_000)} } }`;
  for (const query of [deep, wide, long]) {
    const { errors } = (await resultOf(query)) as { errors: { extensions: { code: string } }[] };
    expect(new Set(errors.map(({ extensions }) => extensions.code))).toEqual(new Set(['INVALID_REQUEST']));
  }
  expect(await resultOf('subscription { nothing }')).toMatchObject(refused);
  expect(await resultOf('subscription { conversationEvents(id: "conv_x") { type } }')).toMatchObject({
    errors: [{ extensions: { code: 'NOT_FOUND' } }],
  });
  await client.dispose();
});

test('a bad credential is closed with 4401, and so is one that expires in use', limitsTime, async () => {
  const codeOf = (payload: object | undefined, onOpen?: () => void) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(`${app.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })));
      socket.once('message', () => onOpen?.());
      socket.once('close', resolve);
    });
  expect(await codeOf({ token: 'nonsense' })).toBe(4401);
  expect(await codeOf(undefined)).toBe(4401);
  const { token } = await app.signUp();
  const startedAt = performance.now();
  expect(
    await codeOf(
      { token },
      () => void app.call('POST', '/v1/auth/logout', { as: token }).then((r) => expectStatus(r, 200)),
    ),
  ).toBe(4401);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
