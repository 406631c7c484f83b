import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { jobOf } from '../support/jobs.ts';
import { createRoom } from '../support/rooms.ts';
import { type Frame, openSocket, subscribe, type TestSocket } from '../support/socket.ts';

const secrets = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'b'.repeat(40) };

let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: secrets });
  other = await startTestApp({ env: secrets, databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await other?.close();
  await app?.close();
});

async function enter(instance: TestApp, person: Account, room: string): Promise<TestSocket> {
  const socket = await openSocket(instance.baseUrl, person.token);
  await subscribe(socket, '1', `room:${room}`);
  return socket;
}

const isAbout =
  ({ id }: Account, state?: string) =>
  ({ type, data }: Frame): boolean =>
    type === 'presence' && data?.['user_id'] === id && (state === undefined || data['state'] === state);

const statesOf = ({ frames }: TestSocket, person: Account) =>
  frames.filter(isAbout(person)).map(({ data }) => data?.['state']);

describe('presence in a room', () => {
  // The first test, because the job runs at most once a minute.
  test('leaves no expired rows behind for more than a minute', async () => {
    expect(jobOf('room.remove-expired-presence').everyMs).toBe(60_000);
    const { id, people } = await createRoom(app);
    await app.db.query(
      `insert into room_presence (room_id, user_id, connection_id, instance_id, state, expires_at)
       values ($1, $2, 'gone', '', 'active', now() - interval '1 second'), ($1, $2, 'here', '', 'active', now() + interval '1 hour')`,
      [id, people[0]!.id],
    );
    await eventually(async () => {
      const { rows } = await app.db.query(`select connection_id from room_presence where room_id = $1`, [id]);
      return rows.length === 1 && rows[0].connection_id === 'here';
    });
  });

  test('does not change when a person reloads the page, on whichever instance they return', async () => {
    const { id, people } = await createRoom(app, { people: 1 });
    const [owner, guest] = [people[0]!, people[1]!];
    const watching = await enter(app, owner, id);
    const before = await enter(other, guest, id);
    await watching.take(isAbout(guest, 'online'));
    before.close();
    const lingering = `room_id = '${id}' and expires_at < now() + interval '11 seconds'`;
    await eventually(async () => {
      const { rowCount } = await app.db.query(`select from room_presence where ${lingering}`);
      return rowCount === 1;
    });
    const after = await enter(app, guest, id);
    await app.db.query(`update room_presence set expires_at = now() where ${lingering}`);
    after.send({ op: 'presence', id: '1', state: 'away' });
    await watching.take(isAbout(guest, 'away'));
    expect(statesOf(watching, guest)).toEqual(['online', 'away']);
    after.close();
    watching.close();
  });

  test('is that of all connections of a person together', async () => {
    const { id, people } = await createRoom(app, { people: 1 });
    const [owner, guest] = [people[0]!, people[1]!];
    const watching = await enter(app, owner, id);
    const [desk, phone] = [await enter(app, guest, id), await enter(other, guest, id)];
    await watching.take(isAbout(guest, 'online'));
    // A subscription is confirmed before its presence is stored.
    await eventually(async () => {
      const { rowCount } = await app.db.query('select from room_presence where user_id = $1', [guest.id]);
      return rowCount === 2;
    });
    desk.send({ op: 'presence', id: '1', state: 'away' });
    phone.send({ op: 'typing', id: '1' });
    await watching.take({ type: 'typing' });
    phone.send({ op: 'presence', id: '1', state: 'away' });
    await watching.take(isAbout(guest, 'away'));
    desk.send({ op: 'presence', id: '1', state: 'active' });
    await watching.take(isAbout(guest, 'online'));
    expect(statesOf(watching, guest)).toEqual(['online', 'away', 'online']);
    for (const socket of [desk, phone, watching]) socket.close();
  });

  test('tells the others, and not the person, that the person is typing', async () => {
    const { id, people } = await createRoom(app, { people: 1 });
    const [owner, guest] = [people[0]!, people[1]!];
    const watching = await enter(app, owner, id);
    const [desk, phone] = [await enter(app, guest, id), await enter(other, guest, id)];
    await watching.take(isAbout(guest, 'online'));
    phone.send({ op: 'typing', id: '1' });
    expect(await watching.take({ type: 'typing' })).toMatchObject({ data: { user_id: guest.id } });
    watching.send({ op: 'typing', id: '1' });
    for (const socket of [desk, phone]) {
      expect(await socket.take({ type: 'typing' })).toMatchObject({ data: { user_id: owner.id } });
      expect(socket.frames.filter(({ type }) => type === 'typing')).toHaveLength(1);
    }
    for (const socket of [desk, phone, watching]) socket.close();
  });

  test('is refused for an unknown subscription and for a channel without presence', async () => {
    const { token } = await app.signUp();
    const socket = await openSocket(app.baseUrl, token);
    await subscribe(socket, '1', 'account');
    socket.send({ op: 'typing', id: '2' });
    expect(await socket.take({ op: 'error', id: '2' })).toMatchObject({
      code: 'invalid_request',
      message: 'There is no subscription with this id.',
    });
    socket.send({ op: 'typing', id: '1' });
    expect(await socket.take({ op: 'error', id: '1' })).toMatchObject({
      message: 'This subscription does not support presence.',
    });
    socket.close();
  });

  test('is rewritten when PostgreSQL has lost it, as after a crash', async () => {
    const { id, people } = await createRoom(app, { people: 1 });
    const [owner, guest] = [people[0]!, people[1]!];
    const watching = await enter(app, owner, id);
    const present = await enter(other, guest, id);
    await watching.take(isAbout(guest, 'online'));
    present.send({ op: 'presence', id: '1', state: 'away' });
    await watching.take(isAbout(guest, 'away'));
    await app.db.query('truncate room_presence');
    await watching.take(isAbout(guest, 'offline'));
    await watching.take(isAbout(guest, 'away'));
    present.close();
    watching.close();
  });
});
