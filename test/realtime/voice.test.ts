import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { textFrames } from '../../src/simulators/openai/text-frames.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { decodeMp3, webm } from '../support/audio.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Frame, openSocket, subscribe, type TestSocket } from '../support/socket.ts';

const secrets = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'b'.repeat(40), UPSTREAM_TIMEOUTS: '20000,20000' };

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp({ env: secrets });
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());
beforeEach(() => app.model.reset());

/** A second of silence as pcm16, in which the simulator hears the text. */
const pcm = (text: string): Buffer => Buffer.concat([Buffer.alloc(48_000), textFrames(text)]);

/** Creates a conversation and a socket that subscribes to it with the id 1. */
async function listen({ token }: { token: string } = ada, agent: object = {}) {
  const { id } = await app.createConversation(token, agent);
  const socket = await openSocket(app.baseUrl, token);
  await subscribe(socket, '1', `conversation:${id}`);
  return { id, socket };
}

async function say(socket: TestSocket, sound: Buffer, format = 'pcm16'): Promise<void> {
  socket.send({ op: 'voice.start', id: '1', format });
  await socket.take({ op: 'voice.started', id: '1' });
  for (let at = 0; at < sound.length; at += 32_000) socket.socket.send(sound.subarray(at, at + 32_000));
  socket.send({ op: 'voice.commit', id: '1' });
}

/** Returns the audio received so far. Checks that each piece follows its tag and that tags are consecutive. */
function soundOf({ frames }: TestSocket): Buffer {
  const voice = frames.filter(({ op }) => op === 'voice.chunk' || op === 'binary');
  const sound = voice.filter((_, index) => index % 2 === 1);
  expect(voice.filter((_, index) => index % 2 === 0)).toEqual(
    sound.map((_, seq) => ({ op: 'voice.chunk', id: '1', seq })),
  );
  return Buffer.concat(sound.map(({ bytes }) => bytes as Buffer));
}

const messagesOf = async (id: string, { token }: { token: string } = ada) =>
  expectStatus(await app.call('GET', `/v1/conversations/${id}`, { as: token }), 200).body.messages as {
    role: string;
    content: string;
  }[];
const requests = (path: string) => app.model.requests.filter((request) => request.path === path);
const spoken = () => requests('/v1/audio/speech');
const refusalOf = (socket: TestSocket): Promise<Frame> =>
  socket.take(({ op }) => op === 'error' || op === 'voice.ended');

describe('speech on the socket', () => {
  test('is stored as a message, and its reply is spoken sentence by sentence in the agent’s voice', async () => {
    const { id, socket } = await listen(ada, { voice_id: 'nova' });
    const deltas = [
      'A **prime** has two ',
      'divisors. The first',
      ' is 2.\n\n```\ncode. code.\n',
      '```\n',
      'Ask me more!',
    ];
    app.model.script({ when: 'What is a prime', deltas });
    await say(socket, pcm('What is a prime number?'));
    expect(await socket.take({ op: 'voice.ended' })).toEqual({ op: 'voice.ended', id: '1' });
    const sound = await decodeMp3(soundOf(socket));
    expect(sound.errors).toEqual([]);
    expect(sound.seconds).toBeGreaterThan(1);
    expect(spoken().map(({ body }) => [body['voice'], body['input']])).toEqual([
      ['nova', 'A prime has two divisors.'],
      ['nova', 'The first is 2.'],
      ['nova', 'Ask me more!'],
    ]);
    expect(requests('/v1/audio/transcriptions')[0]?.body).toMatchObject({ filename: 'audio.wav' });
    const [, question, reply] = await messagesOf(id);
    expect([question, reply]).toMatchObject([
      { role: 'user', content: 'What is a prime number?' },
      { role: 'assistant', content: deltas.join('') },
    ]);
    const types = socket.frames.map(({ type }) => type);
    expect(types.indexOf('reply.delta')).toBeGreaterThan(types.indexOf('message.created'));
    // The same words are a new message.
    await say(socket, Buffer.concat([webm(2), textFrames('What is a prime number?')]), 'webm');
    await socket.take({ op: 'voice.ended' });
    expect(await messagesOf(id)).toHaveLength(5);
    socket.close();
  });

  test('is interrupted by a cancel: the sound and the reply end, and the next turn begins', async () => {
    const { id, socket } = await listen();
    const deltas = Array.from({ length: 200 }, (_, n) => `This is sentence number ${n}. `);
    app.model.script({ when: 'long story', deltas, deltaDelayMs: 50 });
    await say(socket, pcm('Tell me a long story.'));
    await socket.take({ op: 'voice.chunk' });
    socket.send({ op: 'voice.cancel', id: '1' });
    expect(await socket.take({ op: 'voice.ended' })).toMatchObject({ cancelled: true });
    const sound = soundOf(socket).length;
    await eventually(() => spoken().every(({ outcome }) => outcome !== 'running'));
    expect(soundOf(socket)).toHaveLength(sound);
    await say(socket, pcm('Stop.'));
    expect(await socket.take({ op: 'voice.ended' })).toEqual({ op: 'voice.ended', id: '1' });
    const [, , cut, next] = await messagesOf(id);
    expect(cut!.content.length).toBeLessThan(deltas.join('').length);
    expect(next).toMatchObject({ role: 'user', content: 'Stop.' });
    expect(requests('/v1/chat/completions').map(({ outcome }) => outcome)).toContain('aborted');
    expect(spoken().every(({ outcome }) => outcome !== 'running')).toBe(true);
    socket.close();
  });

  test('that is cancelled before its commit leaves nothing', async () => {
    const { id, socket } = await listen();
    socket.send({ op: 'voice.start', id: '1', format: 'pcm16' });
    socket.socket.send(pcm('Nobody hears this.'));
    socket.send({ op: 'voice.cancel', id: '1' });
    expect(await socket.take({ op: 'voice.ended' })).toMatchObject({ cancelled: true });
    expect(requests('/v1/audio/transcriptions')).toEqual([]);
    expect(await messagesOf(id)).toHaveLength(1);
    socket.close();
  });

  test('ends with its client, and the reply is stored to its end', async () => {
    const { id, socket } = await listen();
    const deltas = Array.from({ length: 12 }, (_, n) => `This is sentence number ${n}. `);
    app.model.script({ when: 'Count', deltas, deltaDelayMs: 60 });
    app.model.script({ endpoint: 'speech', deltaDelayMs: 200, times: 100 });
    await say(socket, pcm('Count to twelve.'));
    await socket.take({ op: 'voice.chunk' });
    socket.socket.terminate();
    await eventually(() => spoken().every(({ outcome }) => outcome !== 'running'));
    await eventually(async () => (await messagesOf(id)).at(-1)?.content === deltas.join(''));
    const sounds = spoken().length;
    expect(sounds).toBeLessThan(deltas.length);
    expect(spoken()).toHaveLength(sounds);
  });

  test('is cut off by a logout', async () => {
    const account = await app.signUp();
    const { socket } = await listen(account);
    app.model.script({ endpoint: 'speech', deltaDelayMs: 1_000, times: 100 });
    await say(socket, pcm('Say something long.'));
    await eventually(() => spoken().length > 0);
    expectStatus(await app.call('POST', '/v1/auth/logout', { as: account.token }), 200);
    expect(await socket.closed).toBe(4401);
    await eventually(() => spoken().every(({ outcome }) => outcome !== 'running'));
  });
});

describe('speech that is refused', () => {
  test('comes in a wrong order, a wrong format, empty or from no subscription', async () => {
    const { id, socket } = await listen();
    const refused = async (code: string) => expect(await refusalOf(socket)).toMatchObject({ op: 'error', code });
    const ended = async (code: string) => expect(await refusalOf(socket)).toMatchObject({ op: 'voice.ended', code });
    const start = (format = 'pcm16', on = '1') => socket.send({ op: 'voice.start', id: on, format });
    socket.socket.send(Buffer.alloc(100));
    await refused('invalid_request');
    socket.send({ op: 'voice.commit', id: '1' });
    await refused('invalid_request');
    start('mp3');
    await refused('invalid_request');
    start('pcm16', 'unknown');
    await refused('invalid_request');
    start();
    start();
    await refused('conflict');
    socket.send({ op: 'voice.commit', id: '1' });
    await ended('invalid_request');
    start();
    socket.socket.send(Buffer.alloc(101));
    socket.send({ op: 'voice.commit', id: '1' });
    await ended('invalid_request');
    start('webm');
    socket.socket.send(pcm('This is pcm16.'));
    socket.send({ op: 'voice.commit', id: '1' });
    await ended('unsupported_media_type');
    expect(await messagesOf(id)).toHaveLength(1);
    socket.close();
  });

  test('is too long, too large or in too many pieces', async () => {
    const { socket } = await listen();
    socket.send({ op: 'voice.start', id: '1', format: 'pcm16' });
    // One sample more than a minute.
    for (let left = 60 * 48_000 + 2; left > 0; left -= 65_536) socket.socket.send(Buffer.alloc(Math.min(left, 65_536)));
    expect(await refusalOf(socket)).toMatchObject({ op: 'voice.ended', code: 'payload_too_large' });
    socket.send({ op: 'voice.start', id: '1', format: 'pcm16' });
    for (let n = 0; n < 250; n++) socket.socket.send(Buffer.alloc(2));
    expect(await socket.take({ op: 'voice.ended' })).toMatchObject({ code: 'rate_limited' });
    socket.socket.send(Buffer.alloc(65_537));
    expect(await socket.closed).toBe(1009);
  });

  test('is not understood, or not by the provider', async () => {
    const { id, socket } = await listen();
    app.model.script({ endpoint: 'transcription', answer: { text: '', segments: [] } });
    await say(socket, pcm('(silence)'));
    expect(await refusalOf(socket)).toMatchObject({ op: 'voice.ended', code: 'invalid_request' });
    app.model.script({ endpoint: 'transcription', status: 500, times: 10 });
    await say(socket, pcm('Hello.'));
    expect(await refusalOf(socket)).toMatchObject({ op: 'voice.ended', code: 'upstream_error' });
    expect(await messagesOf(id)).toHaveLength(1);
    socket.close();
  });

  test('comes from a key without one of the scopes', async () => {
    const { id } = await app.createConversation(ada.token);
    for (const scopes of [
      ['conversations:read', 'voice:use'],
      ['conversations:write', 'agents:read'],
    ]) {
      const { key } = expectStatus(
        await app.call('POST', '/v1/auth/api-keys', { as: ada.token, body: { name: 'k', scopes } }),
        201,
      ).body;
      const socket = await openSocket(app.baseUrl, key);
      await subscribe(socket, '1', `conversation:${id}`);
      socket.send({ op: 'voice.start', id: '1', format: 'webm' });
      expect(await refusalOf(socket)).toMatchObject({ op: 'error', code: 'insufficient_scope' });
      socket.close();
    }
  });
});

test('an utterance counts like its requests over REST: against the voice limits and the day', async () => {
  const byPlan = (free: number) => ({ free, plus: 100, pro: 100, creator: 100 });
  const limited = await startTestApp({
    env: { ...secrets, RATE_LIMITS: JSON.stringify({ stt: byPlan(3), tts: byPlan(2) }) },
    databaseUrl: app.databaseUrl,
  });
  const account = await limited.signUp();
  const { id } = await limited.createConversation(account.token);
  const socket = await openSocket(limited.baseUrl, account.token);
  await subscribe(socket, '1', `conversation:${id}`);
  for (const code of [undefined, undefined, 'rate_limited', 'rate_limited']) {
    await say(socket, pcm('Hello.'));
    expect((await socket.take({ op: 'voice.ended' })).code).toBe(code);
  }
  const heard = limited.model.requests.filter(({ path }) => path === '/v1/audio/transcriptions');
  expect(heard).toHaveLength(3);
  expect(await messagesOf(id, account)).toHaveLength(5);
  socket.close();
  await limited.close();

  const spent = await app.signUp();
  const usedUp = await listen(spent);
  await app.db.query(
    `insert into usage_counters (user_id, day, messages) values ($1, (now() at time zone 'utc')::date, 1000000)`,
    [spent.id],
  );
  await say(usedUp.socket, pcm('One more.'));
  expect(await refusalOf(usedUp.socket)).toMatchObject({ op: 'voice.ended', code: 'rate_limited' });
  expect(await messagesOf(usedUp.id, spent)).toHaveLength(1);
  usedUp.socket.close();
});
