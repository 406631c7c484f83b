import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgeRows } from '../../src/accounts/deletion/purge-rows.ts';
import { cancelConversion, convertToPartitions, dropBefore } from '../../src/core/database/partitions/convert.ts';
import { partitionedTables } from '../../src/conversations/partition-conversations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { partition } from '../support/partition.ts';
import { limitsTime } from '../support/wall-clock.ts';

let app: TestApp;
let ada: Account;
let ben: Account;
const tables = partitionedTables;
const partitionInto = (partitions: number) =>
  convertToPartitions({ url: app.databaseUrl, tables, say: () => undefined }, partitions);

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
  ben = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.db.query(text, values)).rows as Row[];
const send = (conversation: string, content: string, options: { as?: string; headers?: Record<string, string> } = {}) =>
  app.call('POST', `/v1/conversations/${conversation}/messages`, { as: ada.token, ...options, body: { content } });
const kindOf = async (table: string) =>
  (
    await query<{ kind: string }>(`select relkind as kind from pg_class where oid = ('public.' || $1)::regclass`, [
      table,
    ])
  )[0]?.kind;

/** Enough rows for more than one batch of the copy. */
const earlier = 25_000;
const fill = (conversationId: string) =>
  app.db.query(
    `with m as (
       insert into messages (id, conversation_id, user_id, position, role, content, created_at)
       select 'msg_' || gen_random_uuid(), c.id, c.user_id, 100 + n, 'user', 'rutabaga ' || n, now()
       from conversations c, generate_series(1, ${earlier}) n where c.id = $1
     )
     update conversations set message_count = message_count + ${earlier}, last_position = 100 + ${earlier} where id = $1`,
    [conversationId],
  );

/** Starts the conversion as a process and kills it at a line of its output. */
async function killAt(line: RegExp): Promise<void> {
  const child = spawn(process.execPath, ['test/support/partition.ts', app.databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const printed of createInterface({ input: child.stdout })) if (line.test(printed)) child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
}

describe('partition', () => {
  test('removes everything that it created when it is cancelled', limitsTime, async () => {
    await killAt(/built messages_active_idx/);
    await expect(partitionInto(8)).rejects.toThrow('A conversion into 4 partitions has begun.');
    await cancelConversion({ url: app.databaseUrl, tables, say: () => undefined });
    expect(await query(`select from pg_trigger where tgname like '%note_change'`)).toEqual([]);
    expect(await query(`select from pg_namespace where nspname = 'conversion'`)).toEqual([]);
    expect(await kindOf('messages')).toBe('r');
  });

  test(
    'converts the tables while messages are sent, continues after a kill, and loses nothing',
    limitsTime,
    async () => {
      const { id } = await app.createConversation(ada.token);
      const { id: long } = await app.createConversation(ben.token);
      const { id: deleted } = await app.createConversation(ben.token);
      await fill(long);
      await fill(deleted);
      const over = new AbortController();
      const acknowledged: string[] = [];
      const load = (async () => {
        for (let n = 0; !over.signal.aborted; n++) {
          const sent = expectStatus(await send(id, `parsnip number${n}`), 201).body;
          acknowledged.push(sent.user_message.id, sent.assistant_message.id);
          if (n === 3) expectStatus(await app.call('DELETE', `/v1/conversations/${deleted}`, { as: ben.token }), 200);
        }
      })();
      await killAt(/built messages_active_idx/);
      await partition(app.databaseUrl);
      const before = acknowledged.length;
      await eventually(() => acknowledged.length > before + 4, { what: 'messages after the swap' });
      over.abort();
      await load;
      for (const table of tables) expect(await kindOf(table)).toBe('p');
      const stored = await query<{ id: string }>(`select id from messages where conversation_id = $1`, [id]);
      expect(acknowledged.filter((one) => !stored.some((message) => message.id === one))).toEqual([]);
      const [counts] = await query<{ messages: number; counted: number }>(
        `select count(*)::int as messages, max(c.message_count) as counted
       from messages m join conversations c on c.id = m.conversation_id where c.id = $1`,
        [long],
      );
      expect(counts?.messages).toBe(counts?.counted);
      await eventually(
        async () => (await query(`select from messages where conversation_id = $1 limit 1`, [deleted])).length === 0,
        { what: 'the removal of the deleted conversation' },
      );
      const vectors = `select count(*)::int as n from messages where search is distinct from search_words(user_id, content)`;
      expect(await query(vectors)).toEqual([{ n: 0 }]);
    },
  );

  test('does nothing when the tables are partitioned, and drops the original tables on request', async () => {
    const lines: string[] = [];
    await partition(app.databaseUrl, { say: (line) => lines.push(line) });
    expect(lines).toEqual(['The tables are divided into 4 partitions already.']);
    await dropBefore({ url: app.databaseUrl, tables, say: () => undefined });
    expect(
      await query(
        `select from pg_class where relname like '%\\_before' and relkind = 'r' and relname ~ 'messages|generations'`,
      ),
    ).toEqual([]);
  });
});

describe('a service on partitioned tables', () => {
  test('replies, searches, edits and switches branches', async () => {
    const { id } = await app.createConversation(ada.token);
    const { user_message: first } = expectStatus(await send(id, 'The kohlrabi is ripe'), 201).body;
    const edited = await app.call('PUT', `/v1/conversations/${id}/messages/${first.id}`, {
      as: ada.token,
      body: { content: 'The celeriac is ripe' },
    });
    expect(edited.status).toBeLessThan(300);
    const found = await app.call('GET', '/v1/conversations/search?q=celeriac', { as: ada.token });
    expect(expectStatus(found, 200).body.total).toBeGreaterThan(0);
    const frequent = await app.call('GET', '/v1/conversations/search?q=rutabaga', { as: ben.token });
    expect(expectStatus(frequent, 200).body.data).toHaveLength(20);
    expect(
      expectStatus(await app.call('GET', '/v1/conversations/search?q=rutabaga', { as: ada.token }), 200).body.total,
    ).toBe(0);
  });

  test('stores a message with an idempotency key once, and refuses the key in another conversation', async () => {
    const { id } = await app.createConversation(ada.token);
    const { id: other } = await app.createConversation(ada.token);
    const headers = { 'Idempotency-Key': 'sow-1' };
    const [one, two] = await Promise.all([send(id, 'Sow', { headers }), send(id, 'Sow', { headers })]);
    expect(one.body.user_message?.id ?? two.body.user_message?.id).toMatch(/^msg_/);
    const generations = await query(`select idempotency_key from generations where conversation_id = $1`, [id]);
    expect(generations).toHaveLength(1);
    expect((await send(other, 'Sow', { headers })).status).toBeGreaterThan(399);
  });

  test('purges an account with the conversations of others with its agents, and leaves the rest', async () => {
    const leaving = await app.signUp({ plan: 'creator' });
    const { id: own } = await app.createConversation(leaving.token);
    const { id: agentId } = await app.createAgent(leaving.token, { is_public: true, greeting_message: 'Hello.' });
    const opened = await app.call('POST', '/v1/conversations', { as: ada.token, body: { agent_id: agentId } });
    const { id: ofAda } = expectStatus(opened, 201).body;
    const { id: kept } = await app.createConversation(ada.token);
    expectStatus(await send(own, 'Plough', { as: leaving.token }), 201);
    for (const id of [ofAda, kept]) expectStatus(await send(id, 'Plough'), 201);
    const purged: Record<string, number> = {};
    await purgeRows(app.app.newCtx({ kind: 'system' }), leaving.id, async (_tx, table, count) => {
      purged[table] = (purged[table] ?? 0) + count;
    });
    // Both conversations have a greeting, a message and its reply.
    expect(purged).toMatchObject({ messages: 6, generations: 2, conversations: 2 });
    const left = `select distinct conversation_id as id from messages where conversation_id = any ($1)`;
    expect(await query(left, [[own, ofAda, kept]])).toEqual([{ id: kept }]);
  });

  test('removes the messages of a deleted agent with their attempts, checkpoints and feedback', async () => {
    const { id, agent_id } = await app.createConversation(ada.token);
    const { assistant_message: reply } = expectStatus(await send(id, 'Harvest'), 201).body;
    const rated = await app.call('POST', `/v1/conversations/${id}/messages/${reply.id}/feedback`, {
      as: ada.token,
      body: { rating: 'up' },
    });
    expect(rated.status).toBeLessThan(300);
    await app.db.query(
      `insert into generation_deltas (generation_id, position, content) select id, 0, 'x' from generations where conversation_id = $1`,
      [id],
    );
    const [{ attempt } = { attempt: '' }] = await query<{ attempt: string }>(
      `select id as attempt from generations where conversation_id = $1`,
      [id],
    );
    expectStatus(await app.call('DELETE', `/v1/agents/${agent_id}`, { as: ada.token }), 200);
    await eventually(async () => (await query(`select from conversations where id = $1`, [id])).length === 0, {
      what: 'the removal of the conversation',
    });
    expect(await query(`select from messages where conversation_id = $1`, [id])).toEqual([]);
    expect(await query(`select from generations where id = $1`, [attempt])).toEqual([]);
    expect(await query(`select from generation_deltas where generation_id = $1`, [attempt])).toEqual([]);
    expect(await query(`select from message_feedback where message_id = $1`, [reply.id])).toEqual([]);
  });
});
