import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';

let app: TestApp;
let owner: Account;
let agentId: string;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.signUp();
  agentId = (await app.createAgent(owner.token, { is_public: true, greeting_message: 'Hello.' })).id;
});
afterAll(() => app.close());

const call = (as: string, method: string, path: string, body?: unknown) => app.call(method, path, { as, body });
const list = async (query = '') =>
  expectStatus(await call(owner.token, 'GET', `/v1/studio/agents/${agentId}/feedback${query}`), 200).body;

/** Asks the agent and rates its reply. Returns a function that rates it again, and the response. */
async function rated(person: Account, question: string, feedback: object) {
  const { id } = expectStatus(await call(person.token, 'POST', '/v1/conversations', { agent_id: agentId }), 201).body;
  const sent = await call(person.token, 'POST', `/v1/conversations/${id}/messages`, { content: question });
  const reply = expectStatus(sent, 201).body.assistant_message;
  const rate = async (body: object) =>
    expectStatus(await call(person.token, 'POST', `/v1/conversations/${id}/messages/${reply.id}/feedback`, body), 200)
      .body;
  return { id, reply, rate, result: await rate(feedback) };
}

test('a comment reaches the owner of the agent only while the person shares it, with that one exchange and no name', async () => {
  const person = await app.signUp();
  const comment = 'Too long.';
  const { id, reply, rate, result } = await rated(person, 'How far is the moon?', { rating: 'down', comment });
  expect(result).not.toHaveProperty('shared_at');
  expect(await list()).toMatchObject({ data: [], total: 0 });

  const { shared_at } = await rate({ rating: 'down', comment, share: true });
  await call(person.token, 'POST', `/v1/conversations/${id}/messages`, { content: 'Between us.' });
  const shared = await list();
  const version_id = expect.stringMatching(/^ver_/);
  expect(shared.data).toEqual([
    {
      message_id: reply.id,
      rating: 'down',
      comment,
      question: 'How far is the moon?',
      reply: reply.content,
      version_id,
      version_number: 1,
      shared_at,
    },
  ]);
  expect(shared.total).toBe(1);
  for (const hidden of [person.id, person.email, id, 'Between us.'])
    expect(JSON.stringify(shared)).not.toContain(hidden);

  expect((await call(person.token, 'GET', `/v1/studio/agents/${agentId}/feedback`)).status).toBe(404);
  expect(await rate({ rating: 'down', comment })).not.toHaveProperty('shared_at');
  expect((await list()).data).toEqual([]);
});

test('a rating that an instance of an earlier release replaces is no longer shared', async () => {
  const { reply } = await rated(await app.signUp(), 'Still there?', { rating: 'down', comment: 'Mine.', share: true });
  expect((await list()).total).toBe(1);
  await app.db.query(
    `insert into message_feedback (message_id, user_id, rating, comment, created_at)
     select message_id, user_id, 'up', 'Private.', created_at + interval '1 second' from message_feedback where message_id = $1
     on conflict (message_id) do update set rating = excluded.rating, comment = excluded.comment, created_at = excluded.created_at`,
    [reply.id],
  );
  expect(await list()).toMatchObject({ data: [], total: 0 });
});

test('the list is paged, newest first, also in GraphQL', async () => {
  const person = await app.signUp();
  for (const question of ['One?', 'Two?', 'Three?']) await rated(person, question, { rating: 'up', share: true });
  const page = await list('?limit=1&offset=1');
  expect(page).toMatchObject({ total: 3, data: [{ question: 'Two?', comment: null }] });
  const document = `query($agentId: ID!, $after: String) {
    sharedFeedback(agentId: $agentId, limit: 2, after: $after) { data { question rating } pageInfo { endCursor hasNextPage } } }`;
  const read = async (after?: string) =>
    (await app.graphql(document, { as: owner.token, variables: { agentId, after } })).body.data.sharedFeedback;
  const first = await read();
  expect(first.data).toEqual([
    { question: 'Three?', rating: 'UP' },
    { question: 'Two?', rating: 'UP' },
  ]);
  const second = await read(first.pageInfo.endCursor);
  expect(second).toMatchObject({ data: [{ question: 'One?' }], pageInfo: { hasNextPage: false } });
  await app.db.query(`delete from message_feedback`);
});

test('shared feedback is removed with the conversation, with the request to delete the account, and with the account', async () => {
  const people = await Promise.all(['a', 'b', 'c'].map(() => app.signUp()));
  const [first, second, third] = people as [Account, Account, Account];
  const { id } = await rated(first, 'Mine?', { rating: 'up', share: true });
  await rated(second, 'Leaving?', { rating: 'up', share: true });
  await rated(third, 'Gone?', { rating: 'up', share: true });
  expect((await list()).total).toBe(3);
  expectStatus(await call(first.token, 'DELETE', `/v1/conversations/${id}`), 200);
  expectStatus(await call(second.token, 'DELETE', '/v1/auth/me'), 200);
  await app.db.query(`delete from users where id = $1`, [third.id]);
  expect(await list()).toMatchObject({ data: [], total: 0 });
});
