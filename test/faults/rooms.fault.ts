import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { OpenAiSimulator } from '../../src/simulators/openai.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { report } from '../support/fault-report.ts';
import { findViolations } from '../support/invariants.ts';
import { asAgent, type TestTurn } from '../support/rooms.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { openSocket, subscribe } from '../support/socket.ts';
import { limitsTime } from '../support/wall-clock.ts';
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

/** A room with an agent that answers every message of its only person. */
async function openRoom(service: ServiceProcess): Promise<{ ada: Account; room: string }> {
  const ada = await service.signUp();
  const as = ada.token;
  const { id: room } = expectStatus(
    await service.call('POST', '/v1/rooms', { as, body: { name: 'Kitchen' } }),
    201,
  ).body;
  const agent = await service.createAgent(as, { name: 'Ada' });
  expectStatus(await service.call('POST', `/v1/rooms/${room}/agents`, { as, body: { agent_id: agent.id } }), 201);
  return { ada, room };
}

const post = async (service: ServiceProcess, { token: as }: Account, room: string, content: string) =>
  expectStatus(await service.call('POST', `/v1/rooms/${room}/messages`, { as, body: { content } }), 201).body;

const turnsOf = async (service: ServiceProcess, { token: as }: Account, room: string): Promise<TestTurn[]> =>
  expectStatus(await service.call('GET', `/v1/rooms/${room}/turns`, { as }), 200).body.data.toReversed();

const used = async ({ id }: Account): Promise<number> =>
  (await db.query(`select coalesce(sum(messages), 0)::integer as used from usage_counters where user_id = $1`, [id]))
    .rows[0].used;

test('fails the turn of a killed instance, returns its charge, and another instance writes the next one', async (context) => {
  const [first, second] = await Promise.all([start(), start()]);
  const { ada, room } = await openRoom(first);
  model.script({ when: asAgent('Ada'), deltas: ['One', ', two'], fault: { kind: 'hang', after: 2 } });
  await post(first, ada, room, 'Count.');
  await eventually(async () => (await db.query(`select 1 from room_turn_deltas`)).rows[0]);
  await post(first, ada, room, 'Count again.');
  await first.kill();
  model.script({ when: asAgent('Ada'), deltas: ['One, two, three.'] });
  const settled = await eventually(async () => {
    const turns = await turnsOf(second, ada, room);
    return turns.every(({ state }) => state !== 'queued' && state !== 'running') && turns;
  });
  expect(settled).toMatchObject([{ state: 'failed', error: { code: 'internal_error' } }, { state: 'complete' }]);
  expect(await used(ada)).toBe(1);
  expect(await findViolations(db)).toEqual({});
  report(context, { times: '1 kill', checked: '2 turns, their charges and messages' });
}, 150_000);

test('stores one reply of a turn whose instance freezes past its lease', async (context) => {
  const [first, second] = await Promise.all([start(), start()]);
  const { ada, room } = await openRoom(first);
  const gate = Promise.withResolvers<void>();
  model.script({ when: asAgent('Ada'), deltas: ['Too late.'], gate: gate.promise });
  await post(first, ada, room, 'Count.');
  await eventually(() => model.requests.some(({ body }) => asAgent('Ada')(body)));
  first.signal('SIGSTOP');
  await eventually(async () => (await turnsOf(second, ada, room))[0]?.state === 'failed', { timeoutMs: 60_000 });
  await post(second, ada, room, 'Count again.');
  await eventually(async () => (await turnsOf(second, ada, room))[1]?.state === 'complete');
  first.signal('SIGCONT');
  gate.resolve();
  await eventually(async () => (await first.call('GET', '/readyz')).status === 200);
  expect((await turnsOf(first, ada, room)).map(({ state }) => state)).toEqual(['failed', 'complete']);
  expect(await used(ada)).toBe(1);
  expect(await findViolations(db)).toEqual({});
  report(context, { times: '1 freeze', checked: '2 turns, their charges and messages' });
}, 150_000);

test(
  'shows the people of a killed instance as gone within 30 s',
  { ...limitsTime, timeout: 150_000 },
  async (context) => {
    const [first, second] = await Promise.all([start(), start()]);
    const { ada, room } = await openRoom(first);
    const bob = await first.signUp();
    const link = await first.call('POST', `/v1/rooms/${room}/invitations`, { as: ada.token, body: {} });
    const join = { as: bob.token, body: { token: expectStatus(link, 201).body.token } };
    expectStatus(await first.call('POST', '/v1/rooms/join', join), 200);
    const watching = await openSocket(second.baseUrl, ada.token);
    await subscribe(watching, '1', `room:${room}`);
    const ghost = await openSocket(first.baseUrl, bob.token);
    await subscribe(ghost, '1', `room:${room}`);
    const about = (state: string) =>
      watching.take(({ type, data }) => type === 'presence' && data?.['user_id'] === bob.id && data['state'] === state);
    await about('online');
    ghost.send({ op: 'typing', id: '1' });
    await watching.take({ type: 'typing' });
    const killedMs = performance.now();
    await first.kill();
    await about('offline');
    const tookMs = performance.now() - killedMs;
    expect(tookMs).toBeLessThan(30_000);
    const late = await openSocket(second.baseUrl, ada.token);
    await subscribe(late, '1', `room:${room}`);
    expect(late.frames.filter(({ data }) => data?.['user_id'] === bob.id)).toEqual([]);
    watching.close();
    late.close();
    report(context, { times: '1 kill', checked: 'who is there', note: `gone after ${(tookMs / 1_000).toFixed(1)} s` });
  },
);
