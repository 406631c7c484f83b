import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { textFrames } from '../../src/simulators/openai/text-frames.ts';
import { decodeMp3 } from '../support/audio.ts';
import { type EmittedClient, openEmittedClient, thrownBy } from './emitted-client.ts';

let emittedClient: EmittedClient;
let { app, ada, emitted } = {} as EmittedClient;

beforeAll(async () => {
  emittedClient = await openEmittedClient();
  ({ app, ada, emitted } = emittedClient);
});
afterAll(() => emittedClient.close());

/** The WebSockets that the client opened. */
const opened: WebSocket[] = [];
class Opened extends WebSocket {
  constructor(url: string) {
    super(url);
    opened.push(this);
  }
}

const openSocket = () =>
  emitted.createClient({ baseUrl: app.baseUrl, credential: () => ada.token }).socket({ WebSocket: Opened });

test('resumes a conversation after each lost connection, without gaps or repeats', async () => {
  const { id } = await app.createConversation(ada.token);
  const socket = openSocket();
  const isOpen = Promise.withResolvers<void>();
  const events = socket.subscribe(`conversation:${id}`, { onOpen: isOpen.resolve });
  const first = events.next();
  await isOpen.promise;
  const deltas = Array.from({ length: 30 }, (_, n) => `word${n} `);
  app.model.script({ when: 'Go', deltas, deltaDelayMs: 100 });
  const sent = app.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content: 'Go' } });
  expect((await first).value).toMatchObject({ type: 'message.created', data: { content: 'Go' } });
  let text = '';
  for await (const event of events) {
    if (event.type === 'reply.delta') {
      text += event.data.content;
      if (opened.length < 3) opened.at(-1)!.terminate();
    }
    if (event.type === 'reply.done' || (event.type === 'message.created' && event.data.role === 'assistant')) break;
  }
  expect(text).toBe((await sent).body.assistant_message.content);
  expect(opened.length).toBe(3);
  socket.close();
});

test('speaks in a conversation, hears the reply, and interrupts it', async () => {
  const { id } = await app.createConversation(ada.token);
  const socket = openSocket();
  expect(() => socket.voice(id, { format: 'pcm16' })).toThrow('Subscribe to it first');
  const isOpen = Promise.withResolvers<void>();
  const events = socket.subscribe(`conversation:${id}`, { onOpen: isOpen.resolve });
  const first = events.next();
  await isOpen.promise;
  const say = (text: string) => {
    const turn = socket.voice(id, { format: 'pcm16' });
    turn.send(Buffer.concat([Buffer.alloc(48_000), textFrames(text)]));
    turn.commit();
    return turn;
  };
  const sound: Uint8Array[] = [];
  for await (const piece of say('What is a prime number?')) sound.push(piece);
  expect((await decodeMp3(Buffer.concat(sound))).errors).toEqual([]);
  expect((await first).value).toMatchObject({ type: 'message.created', data: { content: 'What is a prime number?' } });
  app.model.script({ when: 'Go', deltas: Array.from({ length: 300 }, (_, n) => `Number ${n}. `), deltaDelayMs: 50 });
  const long = say('Go on.');
  const heard: Uint8Array[] = [];
  for await (const piece of long) if (heard.push(piece) === 1) long.cancel();
  const empty = socket.voice(id, { format: 'webm' });
  empty.commit();
  expect(await thrownBy(empty[Symbol.asyncIterator]().next())).toMatchObject({ code: 'invalid_request' });
  const lost = say('One more.');
  opened.at(-1)!.terminate();
  expect(await thrownBy(lost[Symbol.asyncIterator]().next())).toMatchObject({ name: 'ConnectionError' });
  socket.close();
});

test('throws what the service refuses, and ends its subscriptions when it is closed', async () => {
  const socket = openSocket();
  expect(await thrownBy(socket.subscribe('nothing').next())).toMatchObject({ name: 'ApiError', code: 'not_found' });
  const events = socket.subscribe('account').next();
  socket.close();
  expect(await events).toEqual({ value: undefined, done: true });
  const stranger = emitted.createClient({ baseUrl: app.baseUrl, credential: 'nonsense' }).socket({ WebSocket });
  expect(await thrownBy(stranger.subscribe('account').next())).toMatchObject({ code: 'unauthenticated' });
});
