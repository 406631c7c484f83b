import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createTestClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { findViolations } from '../support/invariants.ts';
import { letTasksComeDue } from '../support/leases.ts';
import { mailWith } from '../support/outbox.ts';
import { addPerson, asAgent, createRoom, messagesOf, settledTurns, type TestRoom } from '../support/rooms.ts';
import { unzip } from '../support/unzip.ts';

let app: TestApp;
const clock = createTestClock(new Date());
const dayMs = 24 * 3_600_000;
const words = 'marmalade-zeppelin';
const manyMessages = 1_100;

beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const call = (method: string, path: string, { token }: Account, body?: object) =>
  app.call(method, `/v1${path}`, { as: token, ...(body && { body }) });

/** Inserts enough messages of a person for several batches. */
async function writeMany({ id }: TestRoom, person: Account): Promise<void> {
  await app.db.query(
    `insert into room_messages (room_id, position, id, author_kind, user_id, content, created_at)
     select $1, r.last_position + n, 'rms_' || gen_random_uuid(), 'user', $2, $3 || ' ' || n, now()
     from rooms r, generate_series(1, ${manyMessages}) n where r.id = $1`,
    [id, person.id, words],
  );
  await app.db.query(`update rooms set last_position = last_position + ${manyMessages} where id = $1`, [id]);
}

async function bring(room: TestRoom, by: Account, agentId: string): Promise<void> {
  const path = `/rooms/${room.id}/agents`;
  expectStatus(await call('POST', path, by, { agent_id: agentId }), 201);
}

async function purge(person: Account): Promise<void> {
  expectStatus(await call('DELETE', '/auth/me', person), 200);
  clock.advance(31 * dayMs);
  await letTasksComeDue(app.db);
  const left = () => app.db.query(`select 1 from users where id = $1`, [person.id]);
  await eventually(async () => (await left()).rowCount === 0, { timeoutMs: 60_000, what: 'the purge' });
}

const signInAgain = async (person: Account): Promise<Account> => {
  const { email, password } = person;
  const { body } = expectStatus(await app.call('POST', '/v1/auth/login', { body: { email, password } }), 200);
  return { ...person, token: body.access_token };
};

test('a purge takes the text and the name of a person with many messages out of rooms; replies and public agents stay', async () => {
  const room = await createRoom(app, { people: 2, agents: ['Ada'], settings: { history: 'all' } });
  const earlier = await createRoom(app, { people: 1 });
  const [owner, guest, friend] = room.people as [Account, Account, Account];
  await app.db.query(`update users set display_name = $2 where id = $1`, [guest.id, words]);
  expectStatus(await call('PUT', `/rooms/${room.id}/members/${guest.id}`, owner, { role: 'moderator' }), 200);
  const hidden = await app.createAgent(guest.token, { name: 'Cleo' });
  const shared = await app.createAgent(friend.token, { name: 'Dan', is_public: true });
  await bring(room, guest, hidden.id);
  await bring(room, guest, shared.id);
  // A room that the person had already left.
  const { body: link } = await call('POST', `/rooms/${earlier.id}/invitations`, earlier.people[0]!, {
    role: 'moderator',
  });
  expectStatus(await call('POST', '/rooms/join', guest, { token: link.token }), 200);
  await bring(earlier, guest, shared.id);
  await writeMany(earlier, guest);
  expectStatus(await call('DELETE', `/rooms/${earlier.id}/members/${guest.id}`, guest), 200);

  app.model.script({ when: asAgent('Ada'), deltas: ['It floats.'] });
  const asked = await room.post(guest, `@Ada ${words}?`);
  await settledTurns(app, room.id, owner);
  const reply = await room.post(friend, 'I wonder.', { reply_to: asked.message.id });
  await writeMany(room, guest);
  await purge(guest);

  for (const { id, people } of [room, earlier]) {
    const { rows } = await app.db.query(`select row_to_json(m)::text as row from room_messages m where room_id = $1`, [
      id,
    ]);
    expect(rows.length).toBeGreaterThan(manyMessages - 1);
    expect(rows.filter(({ row }) => new RegExp(`${words}|${guest.id}`).test(row))).toEqual([]);
    const { agents } = expectStatus(await call('GET', `/rooms/${id}`, await signInAgain(people[0]!)), 200).body;
    const names = agents.map(({ name, available }: { name: string; available: boolean }) => [name, available]);
    expect(names).toContainEqual(['Dan', true]);
    expect(JSON.stringify(names)).not.toContain('Cleo');
  }
  const after = await signInAgain(friend);
  const first = (await messagesOf(app, room.id, after)).at(0);
  expect(first).toMatchObject({ deleted: true, content: '', author: { kind: 'user', id: null, name: 'gone' } });
  const stored = await app.db.query(
    `select content, reply_to as "replyTo" from room_messages where room_id = $1 and deleted_at is null order by position`,
    [room.id],
  );
  expect(stored.rows).toEqual([
    { content: 'It floats.', replyTo: null },
    { content: 'I wonder.', replyTo: asked.message.position },
  ]);
  expect(reply.message.reply_to).toBe(asked.message.id);
  expect(await findViolations(app.db)).toEqual({});
});

test('an export has the rooms of a person and what they wrote, with place and name of the room, and no words of others', async () => {
  const room = await createRoom(app, { people: 1, agents: ['Ada'] });
  const [owner, guest] = room.people as [Account, Account];
  const left = await createRoom(app);
  const traveller = await addPerson(app, left.id, left.people[0]!);
  app.model.script({ when: asAgent('Ada'), deltas: ['A secret of Ada.'] });
  await room.post(owner, 'A secret of the owner.');
  await room.post(guest, '@Ada my own words.');
  await settledTurns(app, room.id, owner);
  const erased = await room.post(guest, 'Erased words.');
  expectStatus(await call('DELETE', `/rooms/${room.id}/messages/${erased.message.id}`, guest), 200);
  await left.post(traveller, 'Before I left.');
  expectStatus(await call('DELETE', `/rooms/${left.id}/members/${traveller.id}`, traveller), 200);

  const exported = async (person: Account) => {
    const id = expectStatus(await call('POST', '/auth/export-data', person), 202).body.export_id;
    await eventually(async () => (await call('GET', `/auth/export-data/${id}`, person)).body.status === 'ready');
    const mail = await mailWith(app, person.email, 'Your data export is ready');
    const url = new URL(/http:\/\/\S+\/exports\/\S+/.exec(mail.text)?.[0] ?? '');
    return unzip(Buffer.from(await (await fetch(app.baseUrl + url.pathname + url.search)).arrayBuffer()));
  };
  const files = await exported(guest);
  const read = (from: Map<string, string>, name: string) => JSON.parse(from.get(name) ?? 'null');
  expect(read(files, 'rooms.json')).toMatchObject([{ id: room.id, name: 'Kitchen', role: 'member', state: 'joined' }]);
  expect(read(files, 'room_messages.json')).toMatchObject([
    { room_id: room.id, room_name: 'Kitchen', position: 2, content: '@Ada my own words.' },
  ]);
  const everything = [...files.values()].join();
  for (const absent of ['A secret of', 'Erased words', owner.id, owner.email]) expect(everything).not.toContain(absent);

  const files2 = await exported(traveller);
  expect(read(files2, 'rooms.json')).toMatchObject([{ id: left.id, state: 'left' }]);
  expect(read(files2, 'room_messages.json')).toMatchObject([{ position: 1, content: 'Before I left.' }]);
});
