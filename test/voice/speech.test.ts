import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { voiceIds } from '../../src/agents/voices.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { decodeMp3 } from '../support/audio.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { limitsTime } from '../support/wall-clock.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp({ env: { UPSTREAM_TIMEOUTS: '20000,20000' } });
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());
beforeEach(() => app.model.reset());

const speak = (body: object, signal?: AbortSignal) =>
  app.send('POST', '/v1/voice/tts', { as: ada.token, body, ...(signal && { signal }) });
const audioOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const refusal = (body: unknown) => app.call('POST', '/v1/voice/tts', { as: ada.token, body });
const spoken = () => app.model.requests.filter(({ path }) => path === '/v1/audio/speech');
/** Generates and decodes minutes of audio. */
const sentence = 'The tide comes in twice a day, and nobody has to ask it. ';

/** Returns the text that the simulator embedded in its file. */
async function heard(file: Buffer): Promise<string> {
  const form = new FormData();
  form.append('audio', new Blob([Uint8Array.from(file)]), 'speech.mp3');
  const answer = await app.call('POST', '/v1/voice/stt', { as: ada.token, body: form });
  return expectStatus(answer, 200).body.text;
}

describe('speech', () => {
  test.each(voiceIds)('is MP3 that plays, in the voice %s', async (voiceId) => {
    const answer = await speak({ text: 'Good morning, Ada.', voice_id: voiceId });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('audio/mpeg');
    const file = await audioOf(answer);
    const { seconds, errors, samples } = await decodeMp3(file);
    expect(errors).toEqual([]);
    expect(seconds).toBeGreaterThan(0.2);
    expect(Math.max(...samples)).toBeGreaterThan(0.1);
    expect(spoken().at(-1)?.body['voice']).toBe(voiceId);
    expect(await heard(file)).toBe('Good morning, Ada.');
  });

  test('uses the voice alloy by default', async () => {
    await audioOf(await speak({ text: 'Hello.' }));
    await audioOf(await speak({ text: 'Hello.', voice_id: null }));
    expect(spoken().map(({ body }) => body['voice'])).toEqual(['alloy', 'alloy']);
  });

  test('of 5,000 characters is one valid MP3, whose parts end where sentences do', async () => {
    const text = sentence.repeat(100).slice(0, 4_999) + '.';
    const file = await audioOf(await speak({ text }));
    const parts = spoken().map(({ body }) => String(body['input']));
    expect(parts.length).toBe(2);
    expect(parts.every((part) => part.length <= 4_096 && part.endsWith('.'))).toBe(true);
    expect(parts.join(' ')).toBe(text);
    const one = await decodeMp3(await audioOf(await speak({ text: sentence })));
    const joined = await decodeMp3(file);
    expect(joined.errors).toEqual([]);
    // as long as the simulator's speech of the text: nothing is lost or repeated
    expect(joined.seconds / text.length).toBeCloseTo(one.seconds / sentence.length, 2);
    expect(file.indexOf('ID3')).toBe(-1);
    expect(await heard(file)).toBe(text);
  });

  test('is counted in characters, not in bytes or UTF-16 units', async () => {
    const answer = await speak({ text: '🌊'.repeat(5_000) });
    expect(answer.status).toBe(200);
    const { errors } = await decodeMp3(await audioOf(answer));
    expect(errors).toEqual([]);
    expect(spoken().every(({ body }) => String(body['input']).length <= 4_096)).toBe(true);
    expect(
      spoken()
        .map(({ body }) => body['input'])
        .join(''),
    ).toBe('🌊'.repeat(5_000));
  });

  test('reaches the client before the provider has generated the rest', async () => {
    app.model.script({ endpoint: 'speech', deltaDelayMs: 50 });
    const answer = await speak({ text: sentence.repeat(20) });
    const first = await answer.body?.getReader().read();
    expect(first?.value?.length).toBeGreaterThan(0);
    expect(spoken()[0]?.outcome).toBe('running');
    expect(spoken()[0]?.deltasSent).toBeLessThan(10);
  });

  test('is aborted at the provider when the client disconnects', async () => {
    app.model.script({ endpoint: 'speech', deltaDelayMs: 30, times: 2 });
    const client = new AbortController();
    const answer = await speak({ text: sentence.repeat(80) }, client.signal);
    await answer.body?.getReader().read();
    client.abort();
    await eventually(() => spoken().length === 2 && spoken().every(({ outcome }) => outcome === 'aborted'));
  });

  test('is aborted at the provider when the client disconnects before the first byte', async () => {
    app.model.script({ endpoint: 'speech', fault: { kind: 'hang', after: 'before_headers' } });
    const client = new AbortController();
    const answer = speak({ text: 'Hello.' }, client.signal).catch(() => null);
    await eventually(() => spoken().length === 1);
    client.abort();
    await answer;
    await eventually(() => spoken()[0]?.outcome === 'aborted');
  });
});

describe('a text that is refused', () => {
  test.each([
    ['of 5,001 characters', { text: 'a'.repeat(5_001) }, 'text', 'too_long'],
    ['that is empty', { text: '' }, 'text', 'required'],
    ['that is blank', { text: ' \n\t' }, 'text', 'required'],
    ['that is missing', {}, 'text', 'required'],
    ['that is a number', { text: 5 }, 'text', 'invalid_type'],
    ['in an unknown voice', { text: 'Hello.', voice_id: 'marvin' }, 'voice_id', 'invalid_value'],
  ])('%s', async (_name, body, field, code) => {
    const answer = expectStatus(await refusal(body), 400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: [{ field, code }] });
    expect(spoken()).toEqual([]);
  });

  test('without the scope for it, or without a credential', async () => {
    const key = await app.call('POST', '/v1/auth/api-keys', {
      as: ada.token,
      body: { name: 'reader', scopes: ['conversations:read'] },
    });
    const body = { text: 'Hello.' };
    expectStatus(await app.call('POST', '/v1/voice/tts', { as: key.body.key, body }), 403);
    expectStatus(await app.call('POST', '/v1/voice/tts', { body }), 401);
  });
});

describe('a provider that fails', () => {
  test.each([
    ['is busy', { status: 429, retryAfterSeconds: 7, times: 3 }, 429, 'rate_limited'],
    ['is broken', { status: 500, times: 3 }, 502, 'upstream_error'],
    ['refuses our key', { status: 401 }, 502, 'upstream_error'],
    ['refuses the text', { status: 400 }, 502, 'upstream_error'],
    [
      'drops the connection',
      { fault: { kind: 'drop', after: 'before_headers' } as const, times: 3 },
      502,
      'upstream_error',
    ],
    ['sends an empty file', { fault: { kind: 'end', after: 0 } as const }, 502, 'upstream_error'],
  ])('and %s, before the first sound, is an HTTP error', async (_name, rule, status, code) => {
    app.model.script({ endpoint: 'speech', ...rule });
    const answer = await refusal({ text: 'Hello.' });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000000');
    if (status === 429) expect(answer.headers.get('retry-after')).toBe('7');
  });

  test('once is retried', async () => {
    app.model.script({ endpoint: 'speech', status: 503 });
    const { errors } = await decodeMp3(await audioOf(await speak({ text: 'Hello.' })));
    expect(errors).toEqual([]);
    expect(spoken()).toHaveLength(2);
  });

  test('in mid-stream breaks the connection, so that partial speech is not mistaken for all of it', async () => {
    app.model.script({ endpoint: 'speech', fault: { kind: 'drop', after: 3 } });
    const answer = await speak({ text: sentence.repeat(20) });
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  test(
    'without a response times out: an HTTP error before the first sound, a broken connection after it',
    limitsTime,
    async () => {
      const env = { UPSTREAM_TIMEOUTS: '1000,1000', OPENAI_BASE_URL: app.model.baseUrl };
      const impatient = await startTestApp({ env });
      const as = (await impatient.signUp()).token;
      const body = { text: sentence.repeat(20) };
      for (const after of ['before_headers', 0] as const) {
        app.model.script({ endpoint: 'speech', fault: { kind: 'hang', after } });
        const answer = await impatient.call('POST', '/v1/voice/tts', { as, body });
        expect([answer.status, answer.body.error.code]).toEqual([504, 'upstream_timeout']);
      }
      app.model.script({ endpoint: 'speech', fault: { kind: 'hang', after: 3 } });
      await expect(impatient.call('POST', '/v1/voice/tts', { as, body })).rejects.toThrow();
      await eventually(() => spoken().every(({ outcome }) => outcome === 'aborted'));
      await impatient.close();
    },
  );

  test('at a later part breaks the connection too', async () => {
    app.model.script({ endpoint: 'speech', when: (body) => String(body['input']).length < 2_000, status: 400 });
    const answer = await speak({ text: sentence.repeat(85) });
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });
});

describe('the voices', () => {
  test('are listed with their default', async () => {
    const { body } = expectStatus(await app.call('GET', '/v1/voice/voices', { as: ada.token }), 200);
    expect((body.data as { id: string }[]).map(({ id }) => id)).toEqual([...voiceIds]);
    expect(body.data[0]).toEqual({ id: 'alloy', name: 'Alloy', description: 'Neutral.', is_default: true });
  });

  test('have the configured names at the provider', async () => {
    const other = await startTestApp({
      env: {
        VOICES: '{"onyx":{"providerVoice":"bm_george"}}',
        SPEECH_MODEL: 'kokoro',
        SPEECH_BASE_URL: app.model.baseUrl,
      },
      databaseUrl: app.databaseUrl,
    });
    const body = { text: 'Hello.', voice_id: 'onyx' };
    expectStatus(await other.call('POST', '/v1/voice/tts', { as: await tokenAt(other), body }), 200);
    expect(spoken().at(-1)?.body).toMatchObject({ voice: 'bm_george', model: 'kokoro' });
    await other.close();
  });
});

/** Each test instance signs tokens with a secret of its own. */
const tokenAt = async (instance: TestApp) => (await instance.signUp()).token;
