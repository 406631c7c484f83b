import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { OpenAiSimulator } from '../../src/simulators/openai.ts';
import { type Account, expectStatus, type SseEvent } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { countOf, report } from '../support/fault-report.ts';
import { letLeasesEnd } from '../support/leases.ts';
import { findViolations } from '../support/invariants.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { type FaultHarness, openFaultHarness } from './more/fault-harness.ts';

let harness: FaultHarness;
let model: OpenAiSimulator;
let db: pg.Pool;

beforeAll(async () => {
  harness = await openFaultHarness();
  ({ model, db } = harness);
});
afterEach(async () => {
  await harness.killAll();
  model.reset();
});
afterAll(() => harness.close());

const start = (): Promise<ServiceProcess> => harness.start();

const open = (service: ServiceProcess, ada: Account, id: string, content: string) =>
  service.stream(`/v1/conversations/${id}/messages/stream`, { as: ada.token, body: { content } });
const textOf = (events: SseEvent[]) =>
  events
    .filter((e) => e.event === 'delta')
    .map((e) => e.data.content)
    .join('');
const stored = async (id: string) =>
  (await db.query(`select role, content from messages where conversation_id = $1 and active order by position`, [id]))
    .rows;

async function read(events: AsyncIterable<SseEvent>): Promise<SseEvent[]> {
  const list: SseEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

/** Reads until the text has arrived, returns it and disconnects. */
async function readUntil(events: AsyncIterable<SseEvent>, text: string): Promise<string> {
  let seen = '';
  for await (const event of events) {
    if (event.event === 'delta') seen += event.data.content;
    if (seen.includes(text)) return seen;
  }
  return seen;
}

/** Sends the same message until it gets a reply, as clients do. */
async function retry(service: ServiceProcess, ada: Account, id: string, content: string): Promise<SseEvent[]> {
  for (;;) {
    try {
      const events = await read(open(service, ada, id, content));
      if (events.at(-1)?.event === 'done') return events;
    } catch {
      await delay(100);
    }
  }
}

test('stores a message once after kill -9 during its reply, and replies when it is sent again', async () => {
  const first = await start();
  const ada = await first.signUp();
  const { id } = await first.createConversation(ada.token);
  model.script({ when: /^Count$/, deltas: ['One', ', two'], deltaDelayMs: 300, fault: { kind: 'hang', after: 2 } });
  await readUntil(open(first, ada, id, 'Count'), 'two');
  await eventually(async () => (await db.query(`select 1 from generation_deltas`)).rows[0]);
  await first.kill();
  await letLeasesEnd(db);

  const second = await start();
  model.reset();
  model.script({ when: /^Count$/, deltas: ['One, two, three.'] });
  const events = await retry(second, ada, id, 'Count');
  expect(textOf(events)).toBe('One, two, three.');
  expect(await stored(id)).toEqual([
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'Count' },
    { role: 'assistant', content: 'One, two, three.' },
  ]);
  expect(await findViolations(db)).toEqual({});
}, 150_000);

test('replies to the same message at the first attempt after a restart', async () => {
  const first = await start();
  const ada = await first.signUp();
  const { id } = await first.createConversation(ada.token);
  model.script({ when: /^Count$/, deltas: ['One', ', two'], deltaDelayMs: 300, fault: { kind: 'hang', after: 2 } });
  await readUntil(open(first, ada, id, 'Count'), 'two');
  await first.kill();
  // In practice a restart takes longer than detecting the missing heartbeat.
  await letLeasesEnd(db);
  const second = await start();
  model.reset();
  model.script({ when: /^Count$/, deltas: ['One, two, three.'] });
  const events = await read(open(second, ada, id, 'Count'));
  expect(events.at(-1)?.event).toBe('done');
  expect(textOf(events)).toBe('One, two, three.');
  expect(await findViolations(db)).toEqual({});
}, 150_000);

test('keeps what was shown of a reply after kill -9, marked as broken, until a retry replaces it', async () => {
  const [first, second] = await Promise.all([start(), start()]);
  const ada = await first.signUp();
  const { id } = await first.createConversation(ada.token);
  model.script({ when: /^Count$/, deltas: ['One', ', two'], deltaDelayMs: 300, fault: { kind: 'hang', after: 2 } });
  await readUntil(open(first, ada, id, 'Count'), 'two');
  const written = `select 1 from generation_deltas group by generation_id having string_agg(content, '' order by position) = 'One, two'`;
  await eventually(async () => (await db.query(written)).rows[0]);
  await first.kill();
  await letLeasesEnd(db);
  const list = async () =>
    (await second.call('GET', `/v1/conversations/${id}/messages`, { as: ada.token })).body.data.toReversed();
  await eventually(async () => (await list()).length === 3, { timeoutMs: 60_000 });
  expect((await list()).at(-1)).toMatchObject({ role: 'assistant', content: 'One, two', broken: true });
  model.reset();
  model.script({ when: /^Count$/, deltas: ['One, two, three.'] });
  await retry(second, ada, id, 'Count');
  expect((await list()).map(({ content, broken }: { content: string; broken?: true }) => [content, broken])).toEqual([
    ['Hello.', undefined],
    ['Count', undefined],
    ['One, two, three.', undefined],
  ]);
  const { rows } = await db.query(`select messages from usage_counters where user_id = $1`, [ada.id]);
  expect(rows).toEqual([{ messages: 1 }]);
  expect(await findViolations(db)).toEqual({});
}, 150_000);

test('refunds the message and frees the conversation after kill -9 without a retry', async () => {
  const [first, second] = await Promise.all([start(), start()]);
  const ada = await first.signUp();
  const { id } = await first.createConversation(ada.token);
  model.script({ when: /^Count$/, deltas: ['One'], fault: { kind: 'hang', after: 1 } });
  await readUntil(open(first, ada, id, 'Count'), 'One');
  await first.kill();
  // The second one has no text yet, so it is refunded immediately.
  await letLeasesEnd(db);
  await eventually(
    async () =>
      (await db.query(`select 1 from generations where conversation_id = $1 and state = 'interrupted'`, [id])).rows[0],
    {
      timeoutMs: 60_000,
    },
  );
  const { rows } = await db.query(`select messages from usage_counters where user_id = $1`, [ada.id]);
  expect(rows).toEqual([{ messages: 0 }]);
  model.reset();
  expectStatus(
    await second.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content: 'Another' } }),
    201,
  );
  expect(await findViolations(db)).toEqual({});
}, 150_000);

test('serves a reply on another instance from its first character, and can stop it there', async () => {
  const [first, second] = await Promise.all([start(), start()]);
  const ada = await first.signUp();
  const { id } = await first.createConversation(ada.token);
  const pieces = Array.from({ length: 30 }, (_, i) => `piece ${i} `);
  model.script({ when: /^Count$/, deltas: pieces, deltaDelayMs: 40 });
  const here = read(open(first, ada, id, 'Count'));
  await eventually(() => model.requests.some((request) => request.deltasSent > 3));
  const there = await read(open(second, ada, id, 'Count'));
  expect(textOf(there)).toBe(pieces.join(''));
  expect(there.length).toBeGreaterThan(3);
  expect(textOf(await here)).toBe(pieces.join(''));
  expect(await stored(id)).toHaveLength(3);

  model.reset();
  model.script({ when: /^Again$/, deltas: ['One', ', two'], fault: { kind: 'hang', after: 2 } });
  const stopped = read(open(first, ada, id, 'Again'));
  await eventually(() => model.requests.some((request) => request.deltasSent === 2));
  const answer = await second.call('POST', `/v1/conversations/${id}/messages/stop`, { as: ada.token });
  expect(answer.body).toMatchObject({ stopped: true, message_id: expect.stringMatching(/^msg_/) });
  expect((await stopped).at(-1)).toMatchObject({ event: 'done', data: { stopped: true } });
  expect((await stored(id)).at(-1)?.content).toBe('One, two');
  expect(await findViolations(db)).toEqual({});
}, 150_000);

const kills = countOf({ quick: 3, long: 200 });

test(
  'loses and duplicates nothing acknowledged when killed at random under load',
  async ({ task }) => {
    let service = await start();
    const ada = await service.signUp();
    await db.query(`update users set plan = 'creator' where id = $1`, [ada.id]);
    const { id: first, agent_id } = await service.createConversation(ada.token);
    const conversations = [first];
    while (conversations.length < 6) {
      const made = await service.call('POST', '/v1/conversations', { as: ada.token, body: { agent_id } });
      conversations.push(expectStatus(made, 201).body.id);
    }
    const over = new AbortController();
    const acknowledged: { id: string; content: string }[] = [];
    const client = async (id: string) => {
      for (let n = 0; !over.signal.aborted; n++) {
        const content = `message ${n} of ${id}`;
        model.script({ when: content, deltas: ['a ', 'b ', 'c'], deltaDelayMs: 15, times: 20 });
        await retry({ ...service, stream: (path, options) => service.stream(path, options) }, ada, id, content);
        acknowledged.push({ id, content });
      }
    };
    const clients = Promise.all(conversations.map(client));
    for (let kill = 0; kill < kills; kill++) {
      await delay(300 + Math.random() * 400);
      await service.kill();
      service = await start();
    }
    over.abort();
    await clients;
    for (const { id, content } of acknowledged) {
      const { rows } = await db.query(
        `select count(*)::int as n from messages where conversation_id = $1 and content = $2`,
        [id, content],
      );
      expect({ content, stored: rows[0].n }).toEqual({ content, stored: 1 });
    }
    expect(await findViolations(db)).toEqual({});
    report({ task }, { times: `${kills} kills`, checked: `${acknowledged.length} acknowledged messages` });
  },
  120_000 * kills,
);

test('finishes running replies on SIGTERM, refuses new ones and exits cleanly', async () => {
  const service = await start();
  const ada = await service.signUp();
  const { id } = await service.createConversation(ada.token);
  model.script({ when: /^Count to three$/, deltas: ['One', ', two', ', three.'], deltaDelayMs: 250 });
  const events = read(open(service, ada, id, 'Count to three'));
  // Titles for conversations of earlier tests may be requested meanwhile.
  await eventually(() =>
    model.requests.some(
      ({ body, deltasSent }) => JSON.stringify(body.messages).includes('Count to three') && deltasSent > 0,
    ),
  );
  service.signal('SIGTERM');
  expect(textOf(await events)).toBe('One, two, three.');
  expect(await service.exited).toBe(0);
  expect((await stored(id)).at(-1)?.content).toBe('One, two, three.');
  expect(await findViolations(db)).toEqual({});
}, 150_000);
