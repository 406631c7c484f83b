import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '../../src/core/ids.ts';
import { removeExpiredSpeech } from '../../src/voice/kept-speech.ts';
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

test('generates speech under a key once, and replays it byte for byte', async () => {
  const first = await audioOf(await speak('once', 'Good morning, Ada.'));
  const again = await speak('once', 'Good morning, Ada.');
  expect([again.status, again.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await audioOf(again)).equals(first)).toBe(true);
  expect(first.length).toBeGreaterThan(1_000);
  expect((await speak('once', 'Good evening, Ada.')).status).toBe(422);
  expect(made()).toHaveLength(1);
});

test('streams speech under a key while it is generated, and keeps it for a client that left', async () => {
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

describe('speech kept under a key', () => {
  const folder = () => join(app.dataDir, 'files/speech', ada.id);
  const keptFiles = async () => (await readdir(folder())).toSorted();

  test('is stored as a file, not in the database', async () => {
    const sound = await audioOf(await speak('filed', 'Good night, Ada.'));
    const newest = (await keptFiles()).at(-1) ?? '';
    expect((await readFile(join(folder(), newest))).equals(sound)).toBe(true);
    const { rows } = await app.db.query(`select length(body) as length from idempotency_keys where key = 'filed'`);
    expect(rows[0].length).toBeLessThan(500);
  });

  test('takes at most 50 MB an account: the oldest is removed, and generated again when it is requested', async () => {
    await audioOf(await speak('evicted', 'An early speech.'));
    const evicted = (await keptFiles()).at(-1) ?? '';
    const large = `${newUuid()}-${50 * 1_048_576}`;
    await writeFile(join(folder(), large), '');
    await audioOf(await speak('newer', 'A newer speech.'));
    expect(await keptFiles()).not.toContain(evicted);
    expect(await keptFiles()).not.toContain(large);
    app.model.reset();
    const again = await speak('evicted', 'An early speech.');
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect((await audioOf(again)).length).toBeGreaterThan(1_000);
    expect(made()).toHaveLength(1);
  });

  test('is removed after a day', async () => {
    await audioOf(await speak('expiring', 'A short-lived speech.'));
    const old = `018bcfe5-6800-7000-8000-000000000000-4`;
    await writeFile(join(folder(), old), 'old');
    const ctx = app.app.newCtx({ kind: 'system' });
    expect(await removeExpiredSpeech(ctx, AbortSignal.timeout(5_000))).toBe(1);
    expect(await keptFiles()).not.toContain(old);
    expect((await speak('expiring', 'A short-lived speech.')).headers.get('idempotency-replayed')).toBe('true');
  });
});

test('breaks the connection when speech under a key fails, and generates it again for the next request', async () => {
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

test('transcribes a recording under a key once, and refuses another one', async () => {
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
