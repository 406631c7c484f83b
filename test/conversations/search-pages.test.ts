import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';

let app: TestApp;
let ada: Account;
let conversation: { id: string; agent_id: string };
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
  conversation = await app.createConversation(ada.token);
  await app.db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
     select 'msg_' || gen_random_uuid(), $1, $2, 1 + n, 'user', repeat('wombat ', 1 + n % 3) || n, now() - n * interval '1 hour'
     from generate_series(1, 45) n`,
    [conversation.id, ada.id],
  );
});
afterAll(() => app.close());

const query = `
  query ($q: String!, $limit: Int, $after: String, $agentId: ID, $since: DateTimeISO) {
    searchConversations(q: $q, limit: $limit, after: $after, agentId: $agentId, since: $since) {
      data { message { id content } } hasMore total pageInfo { hasNextPage endCursor }
    }
  }`;
const ask = (variables: object) => app.graphql(query, { as: ada.token, variables: { q: 'wombat', ...variables } });
const search = async (variables: object) => (await ask(variables)).body;
const idsOf = (page: { data: { message: { id: string } }[] }) => page.data.map(({ message }) => message.id);

describe('searchConversations', () => {
  test('pages through everything that it finds, each message once and in order', async () => {
    const whole = (await search({ limit: 100 })).data.searchConversations;
    expect(whole).toMatchObject({ total: 45, hasMore: false, pageInfo: { hasNextPage: false } });
    const ids: string[] = [];
    let next: { hasNextPage: boolean; endCursor: string | null } = { hasNextPage: true, endCursor: null };
    while (next.hasNextPage) {
      const { body } = await ask({ limit: 10, after: next.endCursor });
      ids.push(...idsOf(body.data.searchConversations));
      next = body.data.searchConversations.pageInfo;
    }
    expect(ids).toEqual(idsOf(whole));
    expect(new Set(ids).size).toBe(45);
  });

  test('pages through more matches than are counted', async () => {
    const { id } = await app.createConversation(ada.token);
    await app.db.query(
      `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
       select 'msg_' || gen_random_uuid(), $1, $2, 1 + n, 'user', 'quince', now() - n * interval '1 minute'
       from generate_series(1, 1100) n`,
      [id, ada.id],
    );
    const ids: string[] = [];
    for (let after: string | null = null; ids.length < 150;) {
      const { body } = await ask({ q: 'quince', limit: 50, after });
      const page = body.data.searchConversations;
      expect(page).toMatchObject({ total: 1_000, hasMore: true });
      ids.push(...idsOf(page));
      after = page.pageInfo.endCursor;
    }
    const { rows } = await app.db.query<{ id: string }>(
      `select id from messages where conversation_id = $1 and content = 'quince' order by created_at desc limit 150`,
      [id],
    );
    expect(ids).toEqual(rows.map((row) => row.id));
  });

  test('finds only messages with an agent and since a time', async () => {
    const other = await app.createConversation(ada.token);
    await app.db.query(
      `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
       values ('msg_' || gen_random_uuid(), $1, $2, 2, 'user', 'another wombat', now())`,
      [other.id, ada.id],
    );
    const found = (await search({ agentId: other.agent_id })).data.searchConversations;
    expect(found).toMatchObject({ total: 1, data: [{ message: { content: 'another wombat' } }] });
    const since = new Date(Date.now() - 3.5 * 3_600_000).toISOString();
    expect((await search({ since, agentId: conversation.agent_id })).data.searchConversations.total).toBe(3);
    const path = `/v1/conversations/search?q=wombat&agent_id=${other.agent_id}&since=${encodeURIComponent(since)}`;
    expect(expectStatus(await app.call('GET', path, { as: ada.token }), 200).body.total).toBe(1);
  });

  test('rejects a cursor of another list', async () => {
    const after = Buffer.from(JSON.stringify(['search', 'x', 'y'])).toString('base64url');
    for (const cursor of ['nonsense', after]) {
      expect((await search({ after: cursor })).errors[0].extensions).toMatchObject({ details: [{ field: 'after' }] });
    }
  });
});
