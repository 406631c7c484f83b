import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { addAgent, addPerson, asAgent, createRoom, messagesOf, settledTurns, type TestRoom } from '../support/rooms.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => app.model.reset());
afterAll(() => app.close());

const settings = { reply_mode: 'rotate' };
const names = ['Ada', 'Bob', 'Cleo', 'Dan'];
const idOf = (room: TestRoom, name: string): string => room.agents.find((agent) => agent.name === name)!.id;
const call = (method: string, room: TestRoom, path: string, body?: object) =>
  app.call(method, `/v1/rooms/${room.id}${path}`, { as: room.people[0]!.token, ...(body && { body }) });
const move = async (room: TestRoom, name: string, position: number): Promise<void> =>
  void expectStatus(await call('PUT', room, `/agents/${idOf(room, name)}`, { position }), 200);
const order = async (room: TestRoom): Promise<string[]> => {
  const { agents } = expectStatus(await call('GET', room, ''), 200).body;
  const listed = agents as { name: string; position: number }[];
  expect(listed.map(({ position }) => position)).toEqual(listed.map((_agent, place) => place + 1));
  return listed.map(({ name }) => name);
};
const nextSpeaker = async (room: TestRoom): Promise<string | undefined> => {
  const { turns } = await room.post(room.people[0]!, 'And now?');
  return room.agents.find(({ id }) => id === turns[0]?.agent_id)?.name;
};

describe('the order of the agents of a room', () => {
  test('has every position once: the others move up or down, and a removal leaves no gap', async () => {
    const room = await createRoom(app, { agents: names });
    await move(room, 'Dan', 1);
    expect(await order(room)).toEqual(['Dan', 'Ada', 'Bob', 'Cleo']);
    await move(room, 'Dan', 3);
    expect(await order(room)).toEqual(['Ada', 'Bob', 'Dan', 'Cleo']);
    await move(room, 'Ada', 1_000);
    expect(await order(room)).toEqual(['Bob', 'Dan', 'Cleo', 'Ada']);
    await move(room, 'Dan', 2);
    expect(await order(room)).toEqual(['Bob', 'Dan', 'Cleo', 'Ada']);
    expectStatus(await call('DELETE', room, `/agents/${idOf(room, 'Dan')}`), 200);
    expect(await order(room)).toEqual(['Bob', 'Cleo', 'Ada']);
    await move(room, 'Ada', 2);
    expectStatus(await call('POST', room, '/agents', { agent_id: idOf(room, 'Dan') }), 201);
    expect(await order(room)).toEqual(['Bob', 'Ada', 'Cleo', 'Dan']);
    expect((await call('PUT', room, `/agents/${idOf(room, 'Ada')}`, { position: 0 })).status).toBe(400);
  });

  test('stays consistent when agents are moved in parallel', async () => {
    const room = await createRoom(app, { agents: names });
    await Promise.all(Array.from({ length: 12 }, (_, i) => move(room, names[i % 4]!, (i % 5) + 1)));
    expect((await order(room)).toSorted()).toEqual(names);
  });

  test('is what rotate follows, also after an agent was moved or removed', async () => {
    const room = await createRoom(app, { people: 1, agents: names, settings });
    expect([await nextSpeaker(room), await nextSpeaker(room)]).toEqual(['Ada', 'Bob']);
    await move(room, 'Bob', 4);
    expect(await nextSpeaker(room)).toBe('Ada');
    await move(room, 'Ada', 2);
    expect(await order(room)).toEqual(['Cleo', 'Ada', 'Dan', 'Bob']);
    expect(await nextSpeaker(room)).toBe('Dan');
    expectStatus(await call('DELETE', room, `/agents/${idOf(room, 'Dan')}`), 200);
    expect(await nextSpeaker(room)).toBe('Bob');
    expectStatus(await call('DELETE', room, `/agents/${idOf(room, 'Cleo')}`), 200);
    expect(await nextSpeaker(room)).toBe('Ada');
  });
});

describe('an agent that is deleted', () => {
  test('leaves its rooms: its waiting turns are refused and not charged, and its messages keep its name', async () => {
    const room = await createRoom(app, { people: 1, agents: ['Ada', 'Bob', 'Cleo'] });
    const [owner, guest] = room.people as [Account, Account];
    app.model.script({ when: asAgent('Bob'), deltas: ['I was here.'] });
    await room.post(owner, '@Bob?');
    await settledTurns(app, room.id, owner);
    const gate = Promise.withResolvers<void>();
    app.model.script({ when: asAgent('Ada'), deltas: ['Done.'], gate: gate.promise });
    const { turns } = await room.post(guest, '@Ada and @Bob?');
    await eventually(() => app.model.requests.some(({ body }) => asAgent('Ada')(body)));
    const path = `/v1/agents/${idOf(room, 'Bob')}`;
    expectStatus(await app.call('DELETE', path, { as: owner.token }), 200);
    await eventually(async () => (await order(room)).join() === 'Ada,Cleo');
    gate.resolve();
    const asked = turns.map(({ id }) => id);
    const usedBy = async ({ id }: Account): Promise<number> =>
      (await app.db.query(`select sum(messages)::integer as used from usage_counters where user_id = $1`, [id])).rows[0]
        .used;
    await eventually(async () => {
      const own = (await settledTurns(app, room.id, guest)).filter(({ id }) => asked.includes(id));
      return own.some(({ state }) => state === 'complete') && (await usedBy(guest)) === 1;
    });
    const said = (await messagesOf(app, room.id, guest)).find(({ content }) => content === 'I was here.');
    expect(said?.author).toMatchObject({ kind: 'agent', id: null, name: 'Bob' });
  });

  test('leaves each of its rooms, however many there are', async () => {
    const room = await createRoom(app, { agents: ['Ada', 'Bob'] });
    const owner = room.people[0]!;
    const [ada, bob] = [idOf(room, 'Ada'), idOf(room, 'Bob')];
    await app.db.query(
      `with r as (
         insert into rooms (id, owner_id, name, reply_mode, agent_hops, replies_per_message, payer, history, created_at, updated_at)
         select 'room_' || gen_random_uuid(), $1, 'Many', 'mention', 0, 3, 'sender', 'all', now(), now()
         from generate_series(1, 1100) returning id
       ) insert into room_agents (room_id, agent_id, added_by, position, created_at) select id, $2, $1, 1, now() from r`,
      [owner.id, bob],
    );
    expectStatus(await app.call('DELETE', `/v1/agents/${bob}`, { as: owner.token }), 200);
    const left = () => app.db.query(`select 1 from room_agents where agent_id = $1`, [bob]);
    await eventually(async () => (await left()).rowCount === 0, { timeoutMs: 60_000, what: 'the end of its places' });
    expect(await order(room)).toEqual(['Ada']);
    expect((await room.post(owner, 'Still here?')).turns).toMatchObject([{ agent_id: ada }]);
  });
});

describe('an agent that becomes private', () => {
  test('replies in a room only while its owner is there', async () => {
    const room = await createRoom(app);
    const owner = room.people[0]!;
    const maker = await addPerson(app, room.id, owner);
    const moderator = { as: owner.token, body: { role: 'moderator' } };
    expectStatus(await app.call('PUT', `/v1/rooms/${room.id}/members/${maker.id}`, moderator), 200);
    const ada = await addAgent(app, room.id, maker, 'Ada');
    const publish = async (is_public: boolean) =>
      void expectStatus(await app.call('PUT', `/v1/agents/${ada.id}`, { as: maker.token, body: { is_public } }), 200);
    const replies = async () => {
      const { agents } = expectStatus(await call('GET', room, ''), 200).body;
      return [agents[0].available, (await room.post(owner, '@Ada?')).turns.length];
    };
    await publish(false);
    expect(await replies()).toEqual([true, 1]);
    await publish(true);
    expectStatus(await app.call('DELETE', `/v1/rooms/${room.id}/members/${maker.id}`, { as: maker.token }), 200);
    expect(await replies()).toEqual([true, 1]);
    await publish(false);
    expect(await replies()).toEqual([false, 0]);
    expect((await call('POST', room, '/turns', { agent_id: ada.id })).status).toBe(404);
  });
});
