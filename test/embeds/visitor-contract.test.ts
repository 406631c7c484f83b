import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { readDocumentedAnswers } from '../support/documented-answers.ts';
import { createEmbed, site } from '../support/embeds.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const faultOf = readDocumentedAnswers();

test('every response to a visitor is as the OpenAPI document says, refusals too', async () => {
  const { id } = await createEmbed(app, { limits: { per_visitor_day: 2 }, identity: 'optional' });
  const seen: string[] = [];
  const visit = { token: undefined as string | undefined };
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, expected: number, body?: object) => {
    const [documented = ''] = path.replace(/msg_[^/]+/, '{message_id}').split('?');
    const answer = await app.call(method, `/v1/embed${path}`, { as: visit.token, body });
    const fault = faultOf(`/v1/embed${documented}`, method.toLowerCase(), answer.status, answer.body);
    expect([answer.status, fault], `${method} ${path}`).toEqual([expected, null]);
    seen.push(`${method} ${documented}`);
    return answer.body;
  };

  await call('GET', '/messages', 401);
  await call('POST', '/sessions', 404, { embed_id: 'emb_0', parent_origin: site });
  await call('POST', '/sessions', 400, { embed_id: id, parent_origin: 'https://elsewhere.example' });
  await call('POST', '/sessions', 401, { embed_id: id, parent_origin: site, identity_token: 'none' });
  visit.token = (await call('POST', '/sessions', 200, { embed_id: id, parent_origin: site })).visitor_token;
  await call('GET', '/messages', 200);
  await call('GET', '/messages?limit=abc', 400);
  await call('POST', '/messages', 400, { content: '' });
  const { assistant_message: reply } = await call('POST', '/messages', 201, { content: 'How far is the moon?' });
  await call('GET', '/messages?limit=1', 200);
  await call('GET', '/messages?limit=x', 400);
  await call('POST', `/messages/${reply.id}/feedback`, 200, { rating: 'up' });
  await call('POST', `/messages/${reply.id}/feedback`, 400, { rating: 'sideways' });
  await call('POST', '/messages/msg_0/feedback', 404, { rating: 'up' });
  await call('POST', '/messages/stop', 200);
  await call('POST', '/messages', 201, { content: 'And the sun?' });
  await call('POST', '/messages', 429, { content: 'And the stars?' });
  await call('POST', '/messages/stream', 429, { content: 'And the stars?' });
  await call('POST', '/sessions', 200, { embed_id: id, parent_origin: site, visitor_token: visit.token });
  await call('DELETE', '/conversation', 200);
  for (const forget of ['1', 'yes', 'TRUE', '']) await call('DELETE', `/conversation?forget=${forget}`, 400);
  await call('GET', '/messages', 200);
  await call('DELETE', '/conversation?forget=true', 200);
  await call('GET', '/messages', 401);
  visit.token = (await call('POST', '/sessions', 200, { embed_id: id, parent_origin: site })).visitor_token;
  await call('DELETE', '/sessions', 200);
  await call('DELETE', '/sessions', 401);
  expect(new Set(seen).size).toBe(8);
});
