import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { decodeMp3 } from '../support/audio.ts';
import { type Account, expectStatus } from '../support/client.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp({ env: { UPSTREAM_TIMEOUTS: '20000,20000' } });
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());
beforeEach(() => app.model.reset());

const spoken = () => app.model.requests.filter(({ path }) => path === '/v1/audio/speech');

describe('a message', () => {
  const speechOf = (conversation: string, message: string) =>
    `/v1/conversations/${conversation}/messages/${message}/speech`;

  test('is spoken in its agent’s voice or the requested one, without its Markdown', async () => {
    const greeting_message = '# Hello\n\nI am **Ada**, see [my page](https://example.com).\n\n- one\n- two';
    const conversation = await app.createConversation(ada.token, { voice_id: 'nova', greeting_message });
    const { body } = await app.call('GET', `/v1/conversations/${conversation.id}`, { as: ada.token });
    const path = speechOf(conversation.id, body.messages[0].id);
    const file = Buffer.from(await (await app.send('POST', path, { as: ada.token, body: {} })).arrayBuffer());
    expect((await decodeMp3(file)).errors).toEqual([]);
    expect(spoken()[0]?.body).toMatchObject({ voice: 'nova', input: 'Hello\n\nI am Ada, see my page.\n\none\n\ntwo' });
    expectStatus(await app.call('POST', path, { as: ada.token }), 200);
    expectStatus(await app.call('POST', path, { as: ada.token, body: { voice_id: 'echo' } }), 200);
    expect(spoken().at(-1)?.body['voice']).toBe('echo');
  });

  test('of another user, of another conversation, or missing, returns 404', async () => {
    const mine = await app.createConversation(ada.token);
    const other = await app.createConversation(ada.token);
    const { body } = await app.call('GET', `/v1/conversations/${mine.id}`, { as: ada.token });
    const message = body.messages[0].id;
    const eve = await app.signUp();
    const calls: [string, string][] = [
      [eve.token, speechOf(mine.id, message)],
      [ada.token, speechOf(other.id, message)],
      [ada.token, speechOf(mine.id, 'msg_nothing')],
    ];
    for (const [as, path] of calls) expectStatus(await app.call('POST', path, { as, body: {} }), 404);
  });

  test('is not spoken for a key without the scope to read it', async () => {
    const { id } = await app.createConversation(ada.token);
    const { body } = await app.call('GET', `/v1/conversations/${id}`, { as: ada.token });
    const key = await app.call('POST', '/v1/auth/api-keys', {
      as: ada.token,
      body: { name: 'v', scopes: ['voice:use'] },
    });
    const path = speechOf(id, body.messages[0].id);
    const answer = await app.call('POST', path, { as: key.body.key, body: {} });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'insufficient_scope']);
  });

  test('counts as one request for each 5,000 characters', async () => {
    const RATE_LIMITS = JSON.stringify({ tts: { free: 4 } });
    const env = { DATA_DIR: app.dataDir, RATE_LIMITS, UPSTREAM_TIMEOUTS: '20000,20000' };
    const strict = await startTestApp({ databaseUrl: app.databaseUrl, env });
    try {
      const person = await app.signUp();
      const conversation = await app.createConversation(person.token, { greeting_message: 'Hi.' });
      const { body } = await app.call('GET', `/v1/conversations/${conversation.id}`, { as: person.token });
      const path = speechOf(conversation.id, body.messages[0].id);
      await app.db.query(`update messages set content = $2 where id = $1`, [
        body.messages[0].id,
        'Yes, indeed. '.repeat(900),
      ]);
      const speak = async () => {
        const response = await strict.send('POST', path, { as: person.token, body: {} });
        await response.arrayBuffer();
        return response.status;
      };
      expect([await speak(), await speak()]).toEqual([200, 429]);
    } finally {
      await strict.close();
    }
  });
});

describe('over GraphQL', () => {
  test('speech is base64, and a transcription returns its text', async () => {
    const { body } = await app.graphql(
      'mutation { synthesizeSpeech(input: { text: "The tide comes in.", voiceId: FABLE }) { audio mediaType } }',
      { as: ada.token },
    );
    const { audio, mediaType } = body.data.synthesizeSpeech;
    expect(mediaType).toBe('audio/mpeg');
    expect((await decodeMp3(Buffer.from(audio, 'base64'))).errors).toEqual([]);
    const heardBack = await app.graphql(
      'mutation ($audio: Base64!) { transcribeAudio(input: { audio: $audio }) { text confidence language } }',
      { as: ada.token, variables: { audio } },
    );
    expect(heardBack.body.data.transcribeAudio).toMatchObject({ text: 'The tide comes in.', language: 'en' });
  });

  test('a file that is no audio is refused as in REST', async () => {
    const mutation = 'mutation ($audio: Base64!) { transcribeAudio(input: { audio: $audio }) { text } }';
    const refused = async (audio: string) =>
      (await app.graphql(mutation, { as: ada.token, variables: { audio } })).body.errors[0].extensions.code;
    expect(await refused('')).toBe('INVALID_REQUEST');
    expect(await refused(Buffer.from('no audio').toString('base64'))).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(await refused('!')).toBe('INVALID_REQUEST');
  });
});
