import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app?.close());

describe('GET /v1/conversations/search', () => {
  it('returns the caller’s messages with their conversations and marked text', async () => {
    const [me, other] = [await app.signUp(), await app.signUp()];
    const conversation = await app.createConversation(me.token, { greeting_message: 'Greetings, <traveller>!' });
    const found = await app.call('GET', '/v1/conversations/search?q=travellers', { as: me.token });
    expect(found).toMatchObject({ status: 200 });
    expect(found.body).toEqual({
      data: [
        {
          message: {
            id: expect.stringMatching(/^msg_/),
            conversation_id: conversation.id,
            role: 'assistant',
            content: 'Greetings, <traveller>!',
            created_at: expect.stringMatching(/Z$/),
          },
          conversation: { id: conversation.id, title: null },
          highlight: 'Greetings, &lt;<mark>traveller</mark>&gt;!',
        },
      ],
      has_more: false,
      total: 1,
    });
    const nothing = await app.call('GET', '/v1/conversations/search?q=travellers', { as: other.token });
    expect(nothing.body).toEqual({ data: [], has_more: false, total: 0 });
  });

  it.each(['', '?q=', '?q=a%00b', '?q=a&limit=0', '?q=a&limit=101', '?q=a&limit=x', `?q=${'a+'.repeat(5_000)}`])(
    'returns 400 for %s',
    async (query) => {
      const { token } = await app.signUp();
      const answer = await app.call('GET', `/v1/conversations/search${query}`, { as: token });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    },
  );

  it('accepts every operator of the index', async () => {
    const { token } = await app.signUp();
    const q = encodeURIComponent(`a & | ! :* ( '`);
    const answer = await app.call('GET', `/v1/conversations/search?q=${q}`, { as: token });
    expect(answer).toMatchObject({ status: 200, body: { data: [], total: 0 } });
  });

  it('requires a credential', async () => {
    expect(await app.call('GET', '/v1/conversations/search?q=a')).toMatchObject({ status: 401 });
  });
});
