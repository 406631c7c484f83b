import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { wav } from '../support/audio.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp();
});
afterAll(() => app.close());
beforeEach(() => app.model.reset());

const speak = (key: string, text: string, signal?: AbortSignal) =>
  app.send('POST', '/v1/voice/tts', {
    as: ada.token,
    body: { text },
    headers: { 'idempotency-key': key },
    ...(signal && { signal }),
  });
const audioOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const made = (path = '/v1/audio/speech') => app.model.requests.filter((request) => request.path === path);

test('speech under a key is made once, and repeated byte for byte', async () => {
  const first = await audioOf(await speak('once', 'Good morning, Ada.'));
  const again = await speak('once', 'Good morning, Ada.');
  expect([again.status, again.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await audioOf(again)).equals(first)).toBe(true);
  expect(first.length).toBeGreaterThan(1_000);
  expect((await speak('once', 'Good evening, Ada.')).status).toBe(422);
  expect(made()).toHaveLength(1);
});

test('speech under a key reaches the client while it is made, and is there for one that left', async () => {
  app.model.script({ endpoint: 'speech', deltaDelayMs: 20 });
  const text = 'The tide comes in twice a day. '.repeat(20);
  const client = new AbortController();
  const answer = await speak('left', text, client.signal);
  await answer.body?.getReader().read();
  expect(made()[0]?.outcome).toBe('running');
  expect((await speak('left', text)).status).toBe(409);
  client.abort();
  await eventually(() => made()[0]?.outcome === 'completed');
  const again = await eventually(async () => {
    const answer = await speak('left', text);
    return answer.status === 200 ? answer : null;
  });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await audioOf(again)).length).toBeGreaterThan(10_000);
  expect(made()).toHaveLength(1);
});

test('speech that fails under a key is broken off, and made anew by the next request', async () => {
  app.model.script({ endpoint: 'speech', fault: { kind: 'drop', after: 3 } });
  const text = 'The tide comes in twice a day. '.repeat(20);
  await expect(speak('failing', text).then(audioOf)).rejects.toThrow();
  const again = await eventually(async () => {
    const answer = await speak('failing', text);
    return answer.status === 200 ? answer : null;
  });
  expect(again.headers.get('idempotency-replayed')).toBeNull();
  expect((await audioOf(again)).length).toBeGreaterThan(10_000);
});

test('a recording under a key is read once, and another one is refused', async () => {
  const read = (file: Buffer) => {
    const body = new FormData();
    body.append('audio', new Blob([Uint8Array.from(file)]), 'a.wav');
    return app.call('POST', '/v1/voice/stt', { as: ada.token, body, headers: { 'idempotency-key': 'read' } });
  };
  const first = expectStatus(await read(wav(1)), 200);
  const again = expectStatus(await read(wav(1)), 200);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await read(wav(2))).status).toBe(422);
  expect(made('/v1/audio/transcriptions')).toHaveLength(1);
});
