import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countLeftCheckpoints, purgeCheckpoints } from '../../src/conversations/generations/checkpoints.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus, readEvents, type SseEvent } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { limitsTime } from '../support/wall-clock.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp({
    env: { GENERATION_LIMITS: JSON.stringify({ perAccount: 5_000, perAccountAtOnce: 5_000 }) },
  });
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());
beforeEach(() => app.model.reset());

const begin = async (): Promise<string> => (await app.createConversation(ada.token)).id;
const send = (id: string, content: string, headers: Record<string, string> = {}) =>
  app.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content }, headers });
async function replay(id: string, generation: string, headers: Record<string, string> = {}): Promise<SseEvent[]> {
  const path = `/v1/conversations/${id}/generations/${generation}/stream`;
  const response = await app.send('GET', path, { as: ada.token, headers });
  expect(response.status).toBe(200);
  return read(readEvents(response));
}
const textOf = (events: SseEvent[]) =>
  events
    .filter((e) => e.event === 'delta')
    .map((e) => e.data.content)
    .join('');

async function read(events: AsyncIterable<SseEvent>): Promise<SseEvent[]> {
  const list: SseEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

const generationOf = async (id: string): Promise<string> =>
  (
    await app.db.query(
      `select id from generations where conversation_id = $1 order by created_at desc, id desc limit 1`,
      [id],
    )
  ).rows[0].id;

/** Stores a running generation whose instance is dead, with pieces of its reply. */
async function orphan(conversationId: string, n: number, pieces: string[]): Promise<string> {
  const id = `gen_00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const message = `msg_00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const day = new Date().toISOString().slice(0, 10);
  const client = await app.db.connect();
  // One transaction, so that the job that ends orphaned replies cannot run in between.
  await client.query('begin');
  await client.query(
    `with c as (
       update conversations set last_position = last_position + 1, message_count = message_count + 1 where id = $1
       returning id, user_id, last_position
     ), m as (
       insert into messages (id, conversation_id, user_id, position, role, content, created_at)
       select $2, id, user_id, last_position, 'user', 'Count', now() from c
     ), u as (
       insert into usage_counters as u (user_id, day, messages) select user_id, $4, 1 from c
       on conflict (user_id, day) do update set messages = u.messages + 1
     )
     insert into generations (id, conversation_id, user_id, user_message_id, assistant_message_id, state, instance_id,
       quota_day, created_at)
     select $3, id, user_id, $2, $2 || '-reply', 'running', 'a dead instance', $4, now() from c`,
    [conversationId, message, id, day],
  );
  let position = 0;
  for (const piece of pieces) {
    await client.query(`insert into generation_deltas values ($1, $2, $3)`, [id, position, piece]);
    position += piece.length;
  }
  await client.query('commit');
  client.release();
  return id;
}
const isInterrupted = async (generation: string): Promise<boolean> =>
  (await app.db.query(`select 1 from generations where id = $1 and state = 'interrupted'`, [generation])).rows.length >
  0;

describe('the stream of an interrupted generation', () => {
  test('replays what is known and ends with an error', async () => {
    const id = await begin();
    const generation = await orphan(id, 1, ['One', ', two']);
    const [events] = await Promise.all([replay(id, generation), eventually(() => isInterrupted(generation))]);
    expect(textOf(events)).toBe('One, two');
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'internal_error' } });
    expect(textOf(await replay(id, generation))).toBe('One, two');
    const { rows } = await app.db.query(`select content from generation_deltas where generation_id = $1`, [generation]);
    expect(rows).toEqual([]);
  });

  test('is an error event when nothing is known', async () => {
    const id = await begin();
    const generation = await orphan(id, 2, []);
    await eventually(() => isInterrupted(generation));
    expect(await replay(id, generation)).toMatchObject([{ event: 'error', data: { code: 'internal_error' } }]);
  });
});

test('a failed generation replays its text, then its error', async () => {
  const id = await begin();
  app.model.script({ deltas: ['One', ', two', '!'], deltaDelayMs: 20, fault: { kind: 'drop', after: 2 } });
  expect((await send(id, 'Count')).status).toBe(502);
  const events = await replay(id, await generationOf(id));
  expect(textOf(events)).toBe('One, two');
  expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'upstream_error' } });
});

test('no checkpoint outlives its generation', async () => {
  const ids: string[] = [];
  const agent = await app.createAgent(ada.token, { greeting_message: 'Hello.' });
  for (let i = 0; i < 48; i++) {
    const made = await app.call('POST', '/v1/conversations', { as: ada.token, body: { agent_id: agent.id } });
    ids.push(expectStatus(made, 201).body.id);
  }
  const deltas = Array.from({ length: 30 }, (_, i) => `word ${i} `);
  app.model.script({ when: /^Talk/, deltas, deltaDelayMs: 25, times: Infinity });
  await Promise.all(ids.map((id, i) => send(id, `Talk ${i}`).then((answer) => expectStatus(answer, 201))));
  const left = `select count(*)::int as n from generation_deltas d join generations g on g.id = d.generation_id
    where g.state <> 'running'`;
  expect((await app.db.query(left)).rows[0].n).toBe(0);
});

test('the purge removes leftover checkpoints of ended generations, and no others', async () => {
  const [ended, running] = [await begin(), await begin()];
  app.model.script({ when: /^Count$/, deltas: ['One'], fault: { kind: 'hang', after: 1 } });
  expectStatus(await send(ended, 'Hello'), 201);
  const generation = await generationOf(ended);
  const sent = send(running, 'Count');
  const checkpoints = (id: string) =>
    app.db.query(`select 1 from generation_deltas where generation_id = $1`, [id]).then(({ rows }) => rows.length);
  await eventually(() =>
    app.model.requests.find(({ body, deltasSent }) => JSON.stringify(body).includes('Count') && deltasSent === 1),
  );
  await eventually(async () => (await checkpoints(await generationOf(running))) === 1);
  await app.db.query(`insert into generation_deltas values ($1, 0, 'left behind')`, [generation]);
  const ctx = app.app.newCtx({ kind: 'system' });
  expect(await countLeftCheckpoints(ctx.sql)).toBe(1);
  expect(await purgeCheckpoints(ctx, new AbortController().signal)).toBe(1);
  expect([await checkpoints(generation), await checkpoints(await generationOf(running))]).toEqual([0, 1]);
  expectStatus(await app.call('POST', `/v1/conversations/${running}/messages/stop`, { as: ada.token }), 200);
  await sent;
});

test('ends 2,000 orphaned replies within 5 s and returns their charges', limitsTime, async () => {
  const bob = await app.signUp({ plan: 'creator' });
  const first = await app.createConversation(bob.token);
  await app.db.query(
    `insert into conversations (id, user_id, agent_id, message_count, last_position, created_at, updated_at)
     select 'conv_' || gen_random_uuid(), $1, $2, 1, 1, now(), now() from generate_series(1, 2000)`,
    [bob.id, first.agent_id],
  );
  await app.db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
     select 'msg_' || gen_random_uuid(), id, user_id, 1, 'user', 'Count', now() from conversations
     where user_id = $1 and id <> $2`,
    [bob.id, first.id],
  );
  await app.db.query(
    `insert into usage_counters values ($1, (now() at time zone 'utc')::date, 2000)
     on conflict (user_id, day) do update set messages = 2000`,
    [bob.id],
  );
  const started = performance.now();
  await app.db.query(
    `insert into generations (id, conversation_id, user_id, user_message_id, assistant_message_id, state, instance_id,
       quota_day, created_at)
     select 'gen_' || gen_random_uuid(), conversation_id, user_id, id, 'msg_' || gen_random_uuid(), 'running',
       'another dead instance', (now() at time zone 'utc')::date, now()
     from messages where user_id = $1 and conversation_id <> $2`,
    [bob.id, first.id],
  );
  // The state that a killed process leaves behind.
  await app.db.query(`insert into instances values ('another dead instance', now(), now() - interval '11 seconds')`);
  const running = `select 1 from generations where user_id = $1 and state = 'running' limit 1`;
  await eventually(async () => (await app.db.query(running, [bob.id])).rows.length === 0);
  expect(performance.now() - started).toBeLessThan(5_000);
  const { rows } = await app.db.query(`select messages from usage_counters where user_id = $1`, [bob.id]);
  expect(rows).toEqual([{ messages: 0 }]);
  const failed = `select count(*)::int as n from outbox_events where account_id = $1 and type = 'message.failed'`;
  expect((await app.db.query(failed, [bob.id])).rows[0].n).toBe(2_000);
});

describe('Last-Event-ID', () => {
  test.each([
    ['of another generation', (_id: string) => 'gen_01234567-89ab-7def-8123-456789abcdef:4'],
    ['of the end of another generation', (_id: string) => 'gen_01234567-89ab-7def-8123-456789abcdef:done'],
    ['beyond the end of the reply', (id: string) => `${id}:999`],
    ['of no known form', () => 'nonsense:4'],
  ])('%s starts from the beginning', async (_name, eventId) => {
    const id = await begin();
    app.model.script({ when: /^Count$/, deltas: ['One', ', two', ', three.'] });
    expectStatus(await send(id, 'Count'), 201);
    const generation = await generationOf(id);
    const events = await replay(id, generation, { 'last-event-id': eventId(generation) });
    expect(textOf(events)).toBe('One, two, three.');
    expect(events.at(-1)?.event).toBe('done');
    // The position of the text that was received, from which the next connection resumes.
    expect(events.findLast(({ event }) => event === 'delta')?.id).toBe(`${generation}:16`);
  });

  test('of this generation resumes after it', async () => {
    const id = await begin();
    app.model.script({ when: /^Count$/, deltas: ['One', ', two', ', three.'] });
    expectStatus(await send(id, 'Count'), 201);
    const generation = await generationOf(id);
    expect(textOf(await replay(id, generation, { 'last-event-id': `${generation}:8` }))).toBe(', three.');
    const ended = await app.send('GET', `/v1/conversations/${id}/generations/${generation}/stream`, {
      as: ada.token,
      headers: { 'last-event-id': `${generation}:done` },
    });
    expect(ended.status).toBe(204);
  });
});

test('one Idempotency-Key in two conversations at once names one message; the other send is refused', async () => {
  const ids = await Promise.all([begin(), begin()]);
  const answers = await Promise.all(ids.map((id) => send(id, 'Count', { 'idempotency-key': `both-${ids[0]}` })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  expect(answers.find(({ status }) => status === 422)?.body.error.code).toBe('idempotency_mismatch');
});
