import { graphql } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildGraphqlSchema } from '../../schema/build.ts';
import type { GraphqlContext } from '../../schema/context.ts';
import { catalog } from '../../src/app/features.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';

let app: TestApp;
let ada: Account;
let agentId: string;
let conversationId: string;
let webhookId: string;

const ask = async (query: string) => (await app.graphql(query, { as: ada.token })).body;

/** Creates nine items for every list, many of them with equal times, names or ranks. */
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
  ({ id: conversationId, agent_id: agentId } = await app.createConversation(ada.token));
  const webhook = { url: 'https://example.com/none', events: ['agent.deleted'] };
  webhookId = expectStatus(await app.call('POST', '/v1/webhooks', { as: ada.token, body: webhook }), 201).body.id;
  const insert = (into: string, select: string, ...values: unknown[]) =>
    app.db.query(`insert into ${into} select ${select} from generate_series(1, 8) n`, values);
  const time = `date_trunc('second', now()) + (n / 3) * interval '1 ms'`;
  await insert(
    `agents (id, owner_id, name, instructions, model, is_public, category, message_count, trending_score, created_at, updated_at)`,
    `gen_random_uuid(), $1, (array['Zoe Bot', 'zoe bot', 'Ärger Bot', 'O''Neil Bot'])[1 + n % 4], 'x', 'default', true, 'tutor', n / 3, (n / 3) * 0.1,
     ${time}, ${time}`,
    ada.id,
  );
  await insert(
    `conversations (id, user_id, agent_id, created_at, updated_at)`,
    `'conv_' || gen_random_uuid(), $1, $2, ${time}, ${time}`,
    ada.id,
    agentId,
  );
  await insert(
    `messages (id, conversation_id, user_id, position, role, content, created_at)`,
    `'msg_' || gen_random_uuid(), $2, $1, 100 + n, 'user', n, ${time}`,
    ada.id,
    conversationId,
  );
  await insert(
    `documents (id, agent_id, owner_id, filename, format, size_bytes, status, created_at)`,
    `'doc_' || gen_random_uuid(), $2, $1, 'a.md', 'md', 1, 'ready', ${time}`,
    ada.id,
    agentId,
  );
  await insert(
    `webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at)`,
    `gen_random_uuid(), $1, gen_random_uuid(), 'agent.deleted', 'skipped', ${time}, ${time}`,
    webhookId,
  );
  await insert(
    `invoices (id, user_id, processor_invoice_id, number, amount, currency, status, plan, "interval", period_start, period_end, created_at)`,
    `'inv_' || gen_random_uuid(), $1, gen_random_uuid(), 'A-2026-' || n, 1, 'eur', 'paid', 'plus', 'month', now(), now(), ${time}`,
    ada.id,
  );
  await insert(`audit_events (id, user_id, action, created_at)`, `'aud_' || n, $1, 'logout', ${time}`, ada.id);
});
afterAll(() => app.close());

interface List {
  data: { id: string }[];
  pageInfo: { hasNextPage: boolean; endCursor: string };
}

const page = async (field: string, args: string): Promise<List> => {
  const body = await ask(`{ ${field}(${args}) { data { id } pageInfo { hasNextPage endCursor } } }`);
  expect(body.errors).toBeUndefined();
  return body.data[field];
};

describe('a list', () => {
  const lists: [string, () => string][] = [
    ['agents', () => ''],
    ['agents', () => 'sort: UPDATED_AT'],
    ['agents', () => 'sort: NAME'],
    ['exploreAgents', () => 'sort: POPULAR'],
    ['exploreAgents', () => 'sort: TRENDING, category: TUTOR'],
    ['exploreAgents', () => 'sort: RECENT, q: "bot"'],
    ['conversations', () => ''],
    ['conversations', () => `agentId: "${agentId}"`],
    ['messages', () => `conversationId: "${conversationId}"`],
    ['documents', () => `agentId: "${agentId}"`],
    ['webhookDeliveries', () => `webhookId: "${webhookId}", status: SKIPPED`],
    ['auditLog', () => ''],
    ['invoices', () => ''],
  ];

  test.each(lists)('%s has the same order by cursor as by offset', async (field, args) => {
    const whole = await page(field, `limit: 100, ${args()}`);
    expect(whole.pageInfo.hasNextPage).toBe(false);
    const ids: string[] = [];
    let list = await page(field, `limit: 2, ${args()}`);
    for (;;) {
      ids.push(...list.data.map(({ id }) => id));
      if (!list.pageInfo.hasNextPage) break;
      list = await page(field, `limit: 2, after: "${list.pageInfo.endCursor}", ${args()}`);
    }
    expect(ids.length).toBeGreaterThan(5);
    expect(ids).toEqual(whole.data.map(({ id }) => id));
  });

  test('neither repeats nor skips items when items are inserted before the cursor', async () => {
    const first = await page('agents', 'limit: 3');
    await app.createAgent(ada.token, { name: 'Newer' });
    const rest = await page('agents', `limit: 100, after: "${first.pageInfo.endCursor}"`);
    expect(rest.data.map(({ id }) => id)).not.toEqual(expect.arrayContaining(first.data.map(({ id }) => id)));
    const { total } = (await ask('{ agents(limit: 1) { total } }')).data.agents;
    expect(first.data.length + rest.data.length).toBe(total - 1);
  });

  const madeUp = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const cursors: [string, string][] = [
    ['nothing', 'x'],
    ['another order', madeUp(['agents_list_name', 'Ada', 'x'])],
    ['no time', madeUp(['agents_list_created_at', 'today', 'x'])],
    ['a time that is none', madeUp(['agents_list_created_at', { t: 1e300 }, 'x'])],
    ['more', madeUp(['agents_list_created_at', { t: 1 }, 'x', 'y'])],
    ['a zero byte', madeUp(['agents_list_created_at', { t: 1 }, '\0'])],
    ['no end', 'A'.repeat(100_000)],
  ];
  test.each(cursors)('rejects a cursor of %s', async (_what, after) => {
    const { errors } = await ask(`{ agents(after: "${after}") { limit } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST', details: [{ field: 'after' }] } }]);
  });

  test('rejects an offset together with a cursor', async () => {
    const { endCursor } = (await page('agents', 'limit: 1')).pageInfo;
    const { errors } = await ask(`{ agents(after: "${endCursor}", offset: 1) { limit } }`);
    expect(errors).toMatchObject([{ extensions: { details: [{ field: 'after', code: 'conflicting' }] } }]);
  });

  test('shows no items of other users', async () => {
    const { endCursor } = (await page('messages', `limit: 1, conversationId: "${conversationId}"`)).pageInfo;
    const eve = await app.signUp();
    const query = `{ messages(conversationId: "${conversationId}", after: "${endCursor}") { hasMore } }`;
    expect((await app.graphql(query, { as: eve.token })).body.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  test('is counted only when `total` is selected', async () => {
    const statements: string[] = [];
    const read = async (selection: string) => {
      statements.length = 0;
      const none = { sessionId: null, apiKeyId: null, ip: null };
      const ctx = app.app.newCtx({ kind: 'user', userId: ada.id, plan: 'free', scopes: catalog.scopes, ...none });
      const contextValue = {
        ...ctx,
        sql: (statement: { name: string }, values: never) => {
          statements.push(statement.name);
          return ctx.sql(statement as Parameters<typeof ctx.sql>[0], values);
        },
      } as unknown as GraphqlContext;
      const source = `{ auditLog(limit: 1) { ${selection} } }`;
      const { errors } = await graphql({ schema: buildGraphqlSchema(), source, contextValue, rootValue: {} });
      expect(errors).toBeUndefined();
      return statements.filter((name) => name.includes('count'));
    };
    expect(await read('data { id } ... @include(if: true) { limit }')).toEqual([]);
    expect(await read('total')).toEqual(['audit_count']);
    expect(await read('... { ...Size } } } fragment Size on AuditLog { ... { total')).toEqual(['audit_count']);
  });
});

test('REST pages by offset only', async () => {
  const answer = await app.call('GET', '/v1/agents?limit=1&after=x', { as: ada.token });
  expect(Object.keys(answer.body)).toEqual(['data', 'total', 'limit', 'offset']);
});
