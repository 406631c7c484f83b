import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { interruptIfOrphaned, interruptOrphans } from '../../src/conversations/generations/interrupt-generation.ts';
import { newId } from '../../src/core/ids.ts';
import { addAgent, addUser } from '../support/account-rows.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createHarness, type Harness } from '../support/harness.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let harness: Harness;

beforeAll(async () => {
  database = await createTestDatabase();
  harness = await createHarness({ url: database.url });
});
afterAll(() => database.drop());

interface Orphan {
  id: string;
  conversationId: string;
}

const day = '2026-11-02';

/** Stores conversations with replies of a dead instance. The ids of conversations and replies have opposite orders. */
async function orphan(userId: string, agentId: string, count: number): Promise<Orphan[]> {
  const made = Array.from({ length: count }, () => newId('conv_'));
  const generations = made.map(() => newId('gen_')).toReversed();
  await harness.query(
    `with c as (
       insert into conversations (id, user_id, agent_id, created_at, updated_at)
       select id, $1, $2, now(), now() from unnest($3::text[]) id returning id
     ), m as (
       insert into messages (id, conversation_id, user_id, position, role, content, created_at)
       select 'msg_' || id, id, $1, 0, 'user', 'Count', now() from c returning conversation_id
     )
     select from m`,
    [userId, agentId, made],
  );
  await harness.query(
    `with g as (
       insert into generations (id, conversation_id, user_id, user_message_id, assistant_message_id, state, instance_id, quota_day, created_at)
       select id, conversation, $1, 'msg_' || conversation, 'reply-' || id, 'running', 'a dead instance', $4, now()
       from unnest($2::text[], $3::text[]) as o (id, conversation) returning id
     )
     insert into generation_deltas (generation_id, position, content) select id, 0, 'One' from g`,
    [userId, generations, made, day],
  );
  await harness.query(`insert into usage_counters (user_id, day, messages) values ($1, $2, $3)`, [userId, day, count]);
  return made.map((conversationId, n) => ({ id: generations[n] ?? '', conversationId }));
}

async function addPerson(count: number): Promise<{ userId: string; orphans: Orphan[] }> {
  const userId = await addUser(harness);
  return { userId, orphans: await orphan(userId, await addAgent(harness, userId), count) };
}

test('a reader that ends an orphaned reply waits for the conversation before it locks anything else', async () => {
  const { userId, orphans } = await addPerson(1);
  const [{ id, conversationId } = { id: '', conversationId: '' }] = orphans;
  const sender = new pg.Client({ connectionString: database.url });
  await sender.connect();
  await sender.query('begin');
  await sender.query(`select from conversations where id = $1 for no key update`, [conversationId]);
  const ended = interruptIfOrphaned(harness.newCtx(), conversationId, { id, userId });
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(async () => (await harness.query(waits)).length > 0, { what: 'the wait for the conversation' });
  expect(await interruptOrphans(harness.newCtx())).toBe(0);
  // If the reader already held these locks, the two connections would deadlock.
  await sender.query(`select from generations where id = $1 for update nowait`, [id]);
  await sender.query(`select from usage_counters where user_id = $1 for update nowait`, [userId]);
  await sender.query('commit');
  await sender.end();
  expect(await ended).toBe(true);
  expect(await harness.query(`select messages from usage_counters where user_id = $1`, [userId])).toEqual([
    { messages: 0 },
  ]);
});

test('concurrent readers that end the same orphaned replies never deadlock, and return each charge once', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => addPerson(40)));
  const all = people.flatMap(({ userId, orphans }) => orphans.map((orphan) => ({ ...orphan, userId })));
  const readers = all
    .toSorted((a, b) => a.id.localeCompare(b.id))
    .map(({ id, userId, conversationId }) => interruptIfOrphaned(harness.newCtx(), conversationId, { id, userId }));
  const sweeps = [0, 1, 2].map(() => interruptOrphans(harness.newCtx()));
  const byReaders = (await Promise.all(readers)).filter(Boolean).length;
  const bySweeps = (await Promise.all(sweeps)).reduce((sum, count) => sum + count, 0);
  expect(byReaders + bySweeps).toBe(all.length);
  const states = `select state, partial_text, count(*)::int as count from generations where conversation_id = any ($1) group by 1, 2`;
  expect(await harness.query(states, [all.map(({ conversationId }) => conversationId)])).toEqual([
    { state: 'interrupted', partial_text: 'One', count: all.length },
  ]);
  const broken = `select content, broken, active, count(*)::int as count from messages where conversation_id = any ($1) and role = 'assistant' group by 1, 2, 3`;
  expect(await harness.query(broken, [all.map(({ conversationId }) => conversationId)])).toEqual([
    { content: 'One', broken: true, active: true, count: all.length },
  ]);
  const counters = `select sum(messages)::int as messages from usage_counters where user_id = any ($1)`;
  expect(await harness.query(counters, [people.map(({ userId }) => userId)])).toEqual([{ messages: 0 }]);
  // Connections report their statistics when they end.
  await harness.close();
  const deadlocks = `select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`;
  expect(await harness.query(deadlocks)).toEqual([{ deadlocks: 0 }]);
});
