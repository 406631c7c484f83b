import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { ogg, wav, webm, webmHead } from '../support/audio.ts';
import { type Account, type Answer, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;
let mp3: Buffer;

beforeAll(async () => {
  app = await startTestApp({ env: { UPSTREAM_TIMEOUTS: '30000,30000' } });
  ada = await app.signUp();
  const answer = await app.send('POST', '/v1/voice/tts', {
    as: ada.token,
    body: { text: 'Turn left at the lighthouse, then wait for the ferry.' },
  });
  mp3 = Buffer.from(await answer.arrayBuffer());
});
afterAll(() => app.close());
beforeEach(() => app.model.reset());

function upload(file: Buffer, name = 'audio.mp3', field = 'audio', type = 'audio/mpeg'): Promise<Answer> {
  const form = new FormData();
  form.append('note', 'an unknown field is passed over');
  form.append(field, new Blob([Uint8Array.from(file)], { type }), name);
  return app.call('POST', '/v1/voice/stt', { as: ada.token, body: form });
}
const heard = () => app.model.requests.filter(({ path }) => path === '/v1/audio/transcriptions');
const megabyte = 1_048_576;
/** Returns a WAV of the given size. */
const wavOf = (sizeBytes: number) => Buffer.concat([wav(1), Buffer.alloc(sizeBytes - wav(1).length)]);

describe('a recording', () => {
  test('with speech of the simulator returns its text', async () => {
    const { body } = expectStatus(await upload(mp3), 200);
    expect(body).toEqual({
      text: 'Turn left at the lighthouse, then wait for the ferry.',
      confidence: expect.closeTo(0.95, 1),
      language: 'en',
    });
  });

  test('of each format is accepted, whatever its name and type', async () => {
    const files = { wav: wav(2), ogg: await ogg(2), webm: webm(2), mp3 };
    for (const [format, file] of Object.entries(files)) {
      const { body } = expectStatus(await upload(file, 'holiday.txt', 'audio', 'text/plain'), 200);
      expect(heard().at(-1)?.body).toMatchObject({
        filename: `audio.${format}`,
        model: 'whisper-1',
        fileBytes: file.length,
      });
      if (format !== 'mp3') expect(body).toMatchObject({ text: expect.stringContaining('2.0 seconds'), confidence: 0 });
    }
  });

  test('that is truncated is transcribed as far as possible', async () => {
    expectStatus(await upload(mp3.subarray(0, mp3.length / 2)), 200);
    expectStatus(await upload(wav(2).subarray(0, 20_000), 'a.wav'), 200);
  });

  test.each([
    ['empty', Buffer.alloc(0), 400, 'invalid_request'],
    ['of no sound', wav(0), 400, 'invalid_request'],
    [
      'the head of a WebM with a ZIP behind it',
      Buffer.concat([webmHead, Buffer.from('PK\x03\x04'.repeat(2_000))]),
      400,
      'invalid_request',
    ],
    [
      'a picture that is named .mp3',
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      415,
      'unsupported_media_type',
    ],
    ['text', Buffer.from('This is not audio.'), 415, 'unsupported_media_type'],
    ['random bytes', randomBytes(300_000), 415, 'unsupported_media_type'],
    [
      'a long tag and nothing else',
      Buffer.from('ID3\x04\0\0\0\0\x08\0'.padEnd(1_034, '\0'), 'latin1'),
      415,
      'unsupported_media_type',
    ],
    ['FLAC, which is not listed', Buffer.from('fLaC\0\0\0\x22'.padEnd(100, '\0')), 415, 'unsupported_media_type'],
  ])('that is %s is refused', async (_name, file, status, code) => {
    const answer = await upload(file);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  describe('that is an MP3', () => {
    const id3 = (contentBytes: number): Buffer =>
      Buffer.concat([
        Buffer.from('ID3\x04\0\0\0\0', 'latin1'),
        Buffer.from([contentBytes >> 7, contentBytes & 0x7f]),
        Buffer.alloc(contentBytes),
      ]);
    const junk = Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 7_919) % 251));
    test.each<[string, () => Buffer]>([
      ['begins within a frame', () => mp3.subarray(1_501)],
      ['begins with zeros', () => Buffer.concat([Buffer.alloc(20_000), mp3])],
      ['begins with other bytes', () => Buffer.concat([junk, mp3])],
      ['has padding behind its tag', () => Buffer.concat([id3(500), Buffer.alloc(6_000), mp3])],
      ['has two tags', () => Buffer.concat([id3(500), id3(700), mp3])],
      ['has a tag of 4,099 bytes', () => Buffer.concat([id3(4_089), mp3])],
      ['has a tag of 4,100 bytes', () => Buffer.concat([id3(4_090), mp3])],
      ['has a tag of 12,000 bytes', () => Buffer.concat([id3(11_990), mp3])],
      ['is short and begins within a frame', () => mp3.subarray(1_501, 3_500)],
    ])('and %s is accepted', async (_name, file) => {
      expectStatus(await upload(file()), 200);
    });
  });

  test('of 25 MB is accepted, and one byte more is refused', async () => {
    expectStatus(await upload(wavOf(25 * megabyte)), 200);
    expect(heard().at(-1)?.body['fileBytes']).toBe(25 * megabyte);
    const tooLarge = expectStatus(await upload(wavOf(25 * megabyte + 1)), 413);
    expect(tooLarge.body.error).toMatchObject({
      code: 'payload_too_large',
      message: 'The audio must not exceed 25 MB.',
    });
    expectStatus(await upload(wavOf(26 * megabyte)), 413);
    await eventually(() => heard().every(({ outcome }) => outcome !== 'running'));
    expect(heard().filter(({ outcome }) => outcome === 'completed')).toHaveLength(1);
  });

  test('is streamed to the provider before the client has sent all of it', async () => {
    const { port } = new URL(app.baseUrl);
    const boundary = 'b0undary';
    const client = httpRequest({
      port,
      method: 'POST',
      path: '/v1/voice/stt',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    const answered = new Promise<number>((resolve) =>
      client.once('response', ({ statusCode = 0 }) => resolve(statusCode)),
    );
    client.write(`--${boundary}\r\ncontent-disposition: form-data; name="audio"; filename="a.wav"\r\n\r\n`);
    client.write(wavOf(200_000));
    await eventually(() => Number(heard()[0]?.body['fileBytes']) > 100_000);
    client.write(Buffer.alloc(50_000));
    client.end(`\r\n--${boundary}--\r\n`);
    expect(await answered).toBe(200);
    expect(heard()[0]?.body['fileBytes']).toBe(250_000);
  });

  test('is not read further after its client disconnects', async () => {
    const { port } = new URL(app.baseUrl);
    const client = httpRequest({
      port,
      method: 'POST',
      path: '/v1/voice/stt',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'multipart/form-data; boundary=b' },
    });
    client.on('error', () => undefined);
    client.write(`--b\r\ncontent-disposition: form-data; name="audio"; filename="a.wav"\r\n\r\n`);
    client.write(wavOf(200_000));
    await eventually(() => heard()[0]?.outcome === 'running');
    client.destroy();
    await eventually(() => ['aborted', 'failed'].includes(heard()[0]?.outcome ?? ''));
  });
});

describe('a form that is refused', () => {
  test('has no file in the field `audio`', async () => {
    const answer = expectStatus(await upload(mp3, 'a.mp3', 'file'), 400);
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'audio', code: 'required' })]);
    const form = new FormData();
    form.append('audio', 'just words');
    expectStatus(await app.call('POST', '/v1/voice/stt', { as: ada.token, body: form }), 400);
    expectStatus(await app.call('POST', '/v1/voice/stt', { as: ada.token, body: new FormData() }), 400);
  });

  test.each([
    ['application/json', '{}', 415],
    ['text/plain', 'audio', 415],
    ['multipart/form-data', 'no boundary', 400],
    ['multipart/form-data; boundary=b', 'no parts', 400],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="audio"; filename="a"\r\n\r\nRIFF',
      400,
    ],
  ])('is %s: %s', async (type, body, status) => {
    const answer = await app.call('POST', '/v1/voice/stt', { as: ada.token, body, headers: { 'content-type': type } });
    expect(answer.status).toBe(status);
    expect(answer.body.error.message).not.toMatch(/busboy|FST_|Boundary/);
  });

  test('has a thousand parts', async () => {
    const form = new FormData();
    for (let i = 0; i < 1_000; i++) form.append(`field${i}`, 'x');
    const answer = await app.call('POST', '/v1/voice/stt', { as: ada.token, body: form });
    expect(answer.status).toBe(413);
  });

  test('leaves its connection usable', async () => {
    for (let i = 0; i < 5; i++) expectStatus(await upload(Buffer.from('not audio '.repeat(300_000))), 415);
    expectStatus(await upload(mp3), 200);
  });
});

describe('a provider', () => {
  test.each([
    ['is busy', { status: 429, retryAfterSeconds: 7 }, 429, 'rate_limited'],
    ['is broken', { status: 500 }, 502, 'upstream_error'],
    ['refuses our key', { status: 401 }, 502, 'upstream_error'],
    ['cannot read the audio', { status: 400 }, 400, 'invalid_request'],
    ['drops the connection', { fault: { kind: 'drop', after: 'before_headers' } as const }, 502, 'upstream_error'],
    ['answers nonsense', { answer: { nothing: true } }, 502, 'upstream_error'],
  ])('that %s is an HTTP error, for short and for long recordings', async (_name, rule, status, code) => {
    for (const file of [mp3, wavOf(8 * megabyte)]) {
      app.model.script({ endpoint: 'transcription', ...rule });
      const answer = await upload(file);
      expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    }
    expectStatus(await upload(mp3), 200);
  });

  test('without a response times out', async () => {
    const other = await startTestApp({ env: { UPSTREAM_TIMEOUTS: '200,200', OPENAI_BASE_URL: app.model.baseUrl } });
    app.model.script({ endpoint: 'transcription', headersDelayMs: 5_000 });
    const form = new FormData();
    form.append('audio', new Blob([Uint8Array.from(mp3)]), 'a');
    const as = (await other.signUp()).token;
    const answer = await other.call('POST', '/v1/voice/stt', { as, body: form });
    expect([answer.status, answer.body.error.code]).toEqual([504, 'upstream_timeout']);
    await eventually(() => heard()[0]?.outcome === 'aborted');
    await other.close();
  });

  test.each([
    [
      { text: ' Hallo Welt ', language: 'german', segments: [] },
      { text: 'Hallo Welt', language: 'de', confidence: 0 },
    ],
    [
      { text: '', language: 'english', segments: [] },
      { text: '', language: 'en', confidence: 0 },
    ],
    [
      { text: 'Ciao.', language: 'it-IT', segments: [{ avg_logprob: 0.2, no_speech_prob: 0, tokens: [1] }] },
      { language: 'it', confidence: 1 },
    ],
    [
      {
        text: 'Moien, a b',
        language: 'letzeburgesch',
        segments: [
          { avg_logprob: -1, no_speech_prob: 0, tokens: [1] },
          { avg_logprob: -0.2, no_speech_prob: 0, tokens: [1, 2, 3] },
          { avg_logprob: -9, no_speech_prob: 0.9, tokens: [1, 2, 3] },
        ],
      },
      { language: 'lb', confidence: Math.exp(-0.4) },
    ],
    [
      { text: 'Thank you.', language: 'english', segments: [{ avg_logprob: -2, no_speech_prob: 0.95, tokens: [1] }] },
      { confidence: 0 },
    ],
  ])('accepts Whisper’s format: %j', async (answer, expected) => {
    app.model.script({ endpoint: 'transcription', answer });
    const { body } = expectStatus(await upload(mp3), 200);
    expect(body).toMatchObject({ ...expected, confidence: expect.closeTo(expected.confidence, 6) as number });
  });

  test.each([
    [
      'gpt-4o-transcribe',
      { 'include[]': 'logprobs', response_format: 'json' },
      { text: 'The tide comes in twice a day, and nobody asks.', logprobs: [{ logprob: -0.1 }, { logprob: -0.3 }] },
      { language: 'en', confidence: Math.exp(-0.2) },
    ],
    [
      'gpt-transcribe',
      { response_format: 'json' },
      { text: 'Ja.', languages: [{ code: 'nl' }] },
      { language: 'nl', confidence: 0 },
    ],
    ['gpt-transcribe', { response_format: 'json' }, { text: '', languages: [] }, { language: 'und', confidence: 0 }],
    [
      'whisper-large-v3',
      { response_format: 'verbose_json' },
      { text: 'Ja.', language: 'Dutch', segments: [] },
      { language: 'nl', confidence: 0 },
    ],
  ])('receives the parameters of the model %s', async (model, asked, answer, expected) => {
    const other = await startTestApp({ env: { TRANSCRIPTION_MODEL: model, OPENAI_BASE_URL: app.model.baseUrl } });
    app.model.script({ endpoint: 'transcription', answer });
    const form = new FormData();
    form.append('audio', new Blob([Uint8Array.from(mp3)]), 'a');
    const as = (await other.signUp()).token;
    const { body } = expectStatus(await other.call('POST', '/v1/voice/stt', { as, body: form }), 200);
    expect(heard().at(-1)?.body).toMatchObject({ model, ...asked });
    expect(body.language).toBe(expected.language);
    expect(body.confidence).toBeCloseTo(expected.confidence);
    await other.close();
  });
});
