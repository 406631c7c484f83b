import { once } from 'node:events';
import { type Client, type ClientOptions, createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectLimitMs } from '../../src/realtime/socket/wire.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { freeze } from '../support/freeze.ts';
import { openSocket } from '../support/socket.ts';
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

test('an empty operation name is none, over each transport', async () => {
  const { token } = await app.signUp();
  const query = 'subscription { events { id } }';
  const body = { query: '{ me { id } }', operationName: '' };
  const answers = [
    await app.call('POST', '/graphql', { as: token, body }),
    await app.call('GET', `/graphql?operationName=&query=${encodeURIComponent(body.query)}`, { as: token }),
    await app.call('GET', `/graphql?query=${encodeURIComponent(body.query)}&operationName=`, { as: token }),
  ];
  for (const answer of answers) expect(answer.body.data.me.id).toMatch(/^usr_/);
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const stream = await app.send('POST', '/graphql/stream', { headers, body: { query, operationName: '' } });
  const first = stream.body!.getReader();
  expect(new TextDecoder().decode((await first.read()).value)).toMatch(/^:/);
  await first.cancel();
  const { id } = await app.createConversation(token);
  const client = open({ token });
  const variables = { id };
  const events = client.iterate<{ conversationEvents: Event }>({
    query: conversationEvents,
    variables,
    operationName: '',
  });
  expect((await events.next()).value.data.conversationEvents.type).toBe('subscribed');
  await client.dispose();
});

test.each([
  ['token', (token: string) => ({ token: `Bearer ${token}` })],
  ['Authorization without a scheme', (token: string) => ({ Authorization: token })],
  ['headers', (token: string) => ({ headers: { authorization: `bearer ${token}` } })],
])('a credential is taken as meant in %s', async (_name, payload) => {
  const { token } = await app.signUp();
  const { socket } = await openRaw();
  socket.send(JSON.stringify({ type: 'connection_init', payload: payload(token) }));
  expect(JSON.parse(String((await once(socket, 'message'))[0]))).toEqual({ type: 'connection_ack' });
  socket.close();
});

test('a credential with its scheme is accepted in a connect frame', async () => {
  const { token } = await app.signUp();
  const socket = await openSocket(app.baseUrl, `Bearer ${token}`);
  socket.send({ op: 'refresh', token: ` Bearer ${token}` });
  await socket.take({ op: 'refreshed' });
  socket.close();
});

test('a document counts against the rate limit before it is read, also when it is not valid', async () => {
  const own = await startTestApp({ env: { RATE_LIMITS: JSON.stringify({ free: 20 }) } });
  try {
    const { token } = await own.signUp();
    const socket = new WebSocket(`${own.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const codes: string[] = [];
    socket.on('message', (data: Buffer) => {
      const { type, payload } = JSON.parse(data.toString()) as {
        type: string;
        payload: { extensions: { code: string } }[];
      };
      if (type === 'error') codes.push(payload[0]!.extensions.code);
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { token } }));
    await once(socket, 'message');
    for (let n = 0; n < 40; n++) {
      socket.send(
        JSON.stringify({ id: `s${n}`, type: 'subscribe', payload: { query: `subscription { nothing${n} }` } }),
      );
    }
    await eventually(() => codes.length === 40);
    expect(codes.filter((code) => code === 'INVALID_REQUEST').length).toBeLessThan(20);
    expect(codes.filter((code) => code === 'RATE_LIMITED').length).toBeGreaterThan(20);
    socket.close();
  } finally {
    await own.close();
  }
});

test('a connection that sends more than 2 MB in a second is closed with 4400', async () => {
  const { token } = await app.signUp();
  const { socket, closed } = await openRaw();
  socket.send(JSON.stringify({ type: 'connection_init', payload: { token } }));
  await once(socket, 'message');
  const payload = { padding: 'x'.repeat(150_000) };
  for (let n = 0; n < 30; n++) socket.send(JSON.stringify({ type: 'ping', payload }));
  expect(await closed).toBe(4400);
});
