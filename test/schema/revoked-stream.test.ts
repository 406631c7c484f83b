import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { limitsTime } from '../support/wall-clock.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test(
  'streams of a reply, over REST and GraphQL, end within seconds of the revocation of their keys',
  limitsTime,
  async () => {
    app.model.reset();
    app.model.script({ endpoint: 'chat', deltas: ['One', ' two'], fault: { kind: 'hang', after: 1 }, times: 2 });
    await Promise.all((['rest', 'graphql'] as const).map(endsWithItsKey));
  },
);

async function endsWithItsKey(via: 'rest' | 'graphql'): Promise<void> {
  const { token } = await app.signUp();
  const conversation = await app.createConversation(token);
  const scopes = ['conversations:write'];
  const { body: made } = await app.call('POST', '/v1/auth/api-keys', { as: token, body: { name: 'k', scopes } });
  const query = `subscription { messageStream(conversationId: "${conversation.id}", input: { content: "Hi" }) { __typename } }`;
  const response = await fetch(
    via === 'rest'
      ? `${app.baseUrl}/v1/conversations/${conversation.id}/messages/stream`
      : `${app.baseUrl}/graphql/stream`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${made.key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify(via === 'rest' ? { content: 'Hi' } : { query }),
    },
  );
  expect(response.status).toBe(200);
  await app.call('DELETE', `/v1/auth/api-keys/${made.id}`, { as: token });
  const startedAt = performance.now();
  const text = await response.text();
  expect(performance.now() - startedAt).toBeLessThan(6_000);
  expect(text.toLowerCase()).toContain('unauthenticated');
}
