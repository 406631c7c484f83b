import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/core/process/log.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../src/simulators/openai.ts';
import { type Account, readEvents, type SseEvent } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { findViolations } from '../support/invariants.ts';
import { letLeasesEnd } from '../support/leases.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let database: { url: string; drop(): Promise<void> };
let model: OpenAiSimulator;
let db: pg.Pool;
const running = new Set<ServiceProcess>();

beforeAll(async () => {
  database = await createTestDatabase();
  model = await startOpenAiSimulator({ log: createLogger('silent') });
  db = new pg.Pool({ connectionString: database.url, max: 3 });
  db.on('error', () => undefined);
});
afterEach(async () => {
  for (const service of running) service.signal('SIGCONT');
  await Promise.all([...running].map((service) => service.kill()));
  running.clear();
  model.reset();
});
afterAll(async () => {
  await model.stop();
  await db.end();
  await database.drop();
});

async function start(): Promise<ServiceProcess> {
  const service = await startServiceProcess({
    AUTH_SECRET: 's'.repeat(40),
    ENCRYPTION_KEYS: 'e'.repeat(40),
    DATABASE_URL: database.url,
    OPENAI_API_KEY: 'test-key',
    OPENAI_BASE_URL: model.baseUrl,
  });
  running.add(service);
  return service;
}

const open = (service: ServiceProcess, ada: Account, id: string) =>
  service.stream(`/v1/conversations/${id}/messages/stream`, { as: ada.token, body: { content: 'Count' } });
const textOf = (events: readonly SseEvent[]) =>
  events
    .filter((e) => e.event === 'delta')
    .map((e) => e.data.content)
    .join('');
/** Collects the events of a stream in the background. */
function collect(events: AsyncIterable<SseEvent>): { seen: SseEvent[]; ended: Promise<void> } {
  const seen: SseEvent[] = [];
  const ended = (async () => {
    for await (const event of events) seen.push(event);
  })();
  return { seen, ended };
}
const isInterrupted = async (id: string) =>
  (await db.query(`select 1 from generations where conversation_id = $1 and state = 'interrupted'`, [id])).rows[0];
const stored = async (id: string) =>
  (await db.query(`select role, content from messages where conversation_id = $1 and active order by position`, [id]))
    .rows;
const charged = async (ada: Account) =>
  (await db.query(`select messages from usage_counters where user_id = $1`, [ada.id])).rows;

const pieces = Array.from({ length: 40 }, (_, i) => `one-${i} `);
const others = ['uno ', 'dos ', 'tres'];
const oneReply = [
  { role: 'assistant', content: 'Hello.' },
  { role: 'user', content: 'Count' },
  { role: 'assistant', content: others.join('') },
];

test('a reader of an instance that was frozen past its lease gets an error, never a second reply', async () => {
  const [frozen, other] = await Promise.all([start(), start()]);
  const ada = await frozen.signUp();
  const { id } = await frozen.createConversation(ada.token);
  model.script({ when: /^Count$/, deltas: pieces, deltaDelayMs: 200 });
  const { seen, ended } = collect(open(frozen, ada, id));
  await eventually(() => seen.length >= 4);
  frozen.signal('SIGSTOP');
  await letLeasesEnd(db);
  await eventually(() => isInterrupted(id), { timeoutMs: 30_000 });
  model.reset();
  model.script({ when: /^Count$/, deltas: others, times: Infinity });
  const retried = collect(open(other, ada, id));
  await retried.ended;
  expect(textOf(retried.seen)).toBe(others.join(''));

  frozen.signal('SIGCONT');
  await ended;
  expect(seen.at(-1)).toMatchObject({ event: 'error', data: { code: 'internal_error' } });
  expect(pieces.join('').startsWith(textOf(seen))).toBe(true);
  expect(await stored(id)).toEqual(oneReply);
  expect(await charged(ada)).toEqual([{ messages: 1 }]);
  expect(await findViolations(db)).toEqual({});
});

test('a message that waits on a frozen instance gets the reply that another one wrote, and is not sent again', async () => {
  const [frozen, other] = await Promise.all([start(), start()]);
  const ada = await frozen.signUp();
  const { id } = await frozen.createConversation(ada.token);
  model.script({ when: /^Count$/, deltas: pieces, firstDeltaDelayMs: 60_000 });
  const streamed = collect(open(frozen, ada, id));
  const waited = frozen.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content: 'Count' } });
  await eventually(() => model.requests.some(({ body }) => JSON.stringify(body.messages).includes('Count')));
  frozen.signal('SIGSTOP');
  await letLeasesEnd(db);
  await eventually(() => isInterrupted(id), { timeoutMs: 30_000 });
  model.reset();
  model.script({ when: /^Count$/, deltas: others, times: Infinity });
  const retried = collect(open(other, ada, id));
  await retried.ended;
  expect(textOf(retried.seen)).toBe(others.join(''));
  // The conversation continues, so that sending by content would store the message again.
  const next = await other.call('POST', `/v1/conversations/${id}/messages`, {
    as: ada.token,
    body: { content: 'Next' },
  });
  expect(next.status).toBe(201);

  frozen.signal('SIGCONT');
  expect((await waited).body.assistant_message?.content).toBe(others.join(''));
  await streamed.ended;
  expect(textOf(streamed.seen)).toBe(others.join(''));
  expect((await stored(id)).slice(0, 3)).toEqual(oneReply);
  expect(await stored(id)).toHaveLength(5);
  expect(await charged(ada)).toEqual([{ messages: 2 }]);
  expect(await findViolations(db)).toEqual({});
});

test('a request that arrives during a freeze is served or refused as retryable, even after its timeout', async () => {
  const frozen = await start();
  const { port } = new URL(frozen.baseUrl);
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  // A response on another connection shows that the service has accepted this one and its timeout runs.
  await frozen.call('GET', '/healthz');
  frozen.signal('SIGSTOP');
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await sleep(21_000);
  frozen.signal('SIGCONT');
  const text = (await socket.toArray()).join('');
  expect(text).toMatch(/^HTTP\/1.1 (200 |503 [^]*retry-after: )/);
});

test('after kill -9 the stream of the generation replays what is known, then its error', async () => {
  const [first, second] = await Promise.all([start(), start()]);
  const ada = await first.signUp();
  const { id } = await first.createConversation(ada.token);
  model.script({ when: /^Count$/, deltas: pieces, deltaDelayMs: 100 });
  const { seen, ended } = collect(open(first, ada, id));
  ended.catch(() => undefined);
  await eventually(() => seen.length >= 20);
  await first.kill();
  running.delete(first);
  const generation = seen[0]?.id.split(':')[0] ?? '';
  await letLeasesEnd(db);
  const path = `/v1/conversations/${id}/generations/${generation}/stream`;
  const response = await second.send('GET', path, { as: ada.token });
  expect(response.status).toBe(200);
  const replayed = collect(readEvents(response));
  await replayed.ended;
  expect(replayed.seen.at(-1)).toMatchObject({ event: 'error', data: { code: 'internal_error' } });
  const known = textOf(replayed.seen);
  expect(pieces.join('').startsWith(known)).toBe(true);
  // What was written less than one checkpoint ago may be lost.
  expect(known.length).toBeGreaterThan(textOf(seen.slice(0, -5)).length - 1);
  expect(await findViolations(db)).toEqual({});
});
