import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { limitsTime } from '../support/wall-clock.ts';

let app: TestApp;
let ada: Account;
const messages = 20_000;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp();
});
afterAll(() => app.close());

const call = (method: string, path: string, as = ada.token) => app.call(method, `/v1${path}`, { as });
const count = async (table: string, column: string, id: string): Promise<number> =>
  (await app.db.query(`select count(*)::int as n from ${table} where ${column} = $1`, [id])).rows[0].n;

/** Fills a conversation directly in the database, as after long use. */
const fill = (conversationId: string) =>
  app.db.query(
    `with m as (
       insert into messages (id, conversation_id, user_id, position, role, content, created_at)
       select 'msg_' || gen_random_uuid(), c.id, c.user_id, 10 + n, 'user', 'rutabaga ' || n, now()
       from conversations c, generate_series(1, ${messages}) n where c.id = $1
     )
     update conversations set message_count = message_count + ${messages}, last_position = 10 + ${messages} where id = $1`,
    [conversationId],
  );

test('deletes a large conversation at once for its user, and removes its messages afterwards', limitsTime, async () => {
  const { id, agent_id } = await app.createConversation(ada.token);
  await fill(id);
  const started = performance.now();
  expectStatus(await call('DELETE', `/conversations/${id}`), 200);
  expect(performance.now() - started).toBeLessThan(500);
  expect((await call('GET', `/conversations/${id}`)).status).toBe(404);
  expect((await call('GET', `/conversations/${id}/messages`)).status).toBe(404);
  expect((await call('DELETE', `/conversations/${id}`)).status).toBe(404);
  expect((await call('GET', '/conversations/search?q=rutabaga')).body.total).toBe(0);
  expect((await call('GET', `/conversations?agent_id=${agent_id}`)).body).toMatchObject({ data: [], total: 0 });
  const send = { as: ada.token, body: { content: 'Anyone?' } };
  expect((await app.call('POST', `/v1/conversations/${id}/messages`, send)).status).toBe(404);
  await eventually(async () => (await count('conversations', 'id', id)) === 0);
  expect(await count('messages', 'conversation_id', id)).toBe(0);
});

test(
  'deletes an agent with a large conversation of another user at once, and removes both afterwards',
  limitsTime,
  async () => {
    const agent = await app.createAgent(ada.token, { greeting_message: 'Hello.', is_public: true });
    const bob = await app.signUp();
    const begun = await app.call('POST', '/v1/conversations', { as: bob.token, body: { agent_id: agent.id } });
    const { id } = expectStatus(begun, 201).body;
    await fill(id);
    const agentsBefore = (await call('GET', '/billing/usage')).body.usage.agents_created;

    const started = performance.now();
    expectStatus(await call('DELETE', `/agents/${agent.id}`), 200);
    expect(performance.now() - started).toBeLessThan(500);
    for (const as of [ada.token, bob.token]) expect((await call('GET', `/agents/${agent.id}`, as)).status).toBe(404);
    expect((await call('GET', '/agents')).body.data.map((one: { id: string }) => one.id)).not.toContain(agent.id);
    expect((await call('GET', '/agents/explore')).body.data).toEqual([]);
    expect((await call('GET', `/conversations/${id}`, bob.token)).status).toBe(404);
    expect((await call('GET', '/conversations', bob.token)).body).toMatchObject({ data: [], total: 0 });
    expect((await call('GET', '/conversations/search?q=rutabaga', bob.token)).body.total).toBe(0);
    expect((await call('GET', `/knowledge/${agent.id}/documents`)).status).toBe(404);
    expect((await call('GET', '/billing/usage')).body.usage.agents_created).toBe(agentsBefore - 1);

    await eventually(async () => (await count('agents', 'id', agent.id)) === 0);
    expect(await count('messages', 'conversation_id', id)).toBe(0);
  },
);

test('ends a reply that a deleted agent is writing', async () => {
  const { id, agent_id } = await app.createConversation(ada.token);
  app.model.script({ when: /^Count$/, deltas: ['One'], fault: { kind: 'hang', after: 1 } });
  const sent = app.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content: 'Count' } });
  await eventually(() => app.model.requests.find(({ deltasSent }) => deltasSent === 1));
  expectStatus(await call('DELETE', `/agents/${agent_id}`), 200);
  expect((await sent).status).toBe(404);
});
