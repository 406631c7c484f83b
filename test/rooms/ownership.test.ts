import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/core/actor.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { behindLock } from '../support/behind-lock.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { asAgent, createRoom, settledTurns, type TestRoom } from '../support/rooms.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const call = (method: string, path: string, { token: as }: Account, body?: object) =>
  app.call(method, `/v1/rooms${path}`, { as, ...(body && { body }) });
const read = async ({ id }: TestRoom, by: Account) => expectStatus(await call('GET', `/${id}`, by), 200).body;
const setPlan = (plan: Plan, ...people: Account[]) =>
  app.db.query('update users set plan = $1 where id = any ($2)', [plan, people.map(({ id }) => id)]);
const sent = async ({ token: as }: Account) =>
  expectStatus(await app.call('GET', '/v1/billing/usage', { as }), 200).body.usage.messages_sent;
const offer = (room: TestRoom, from: Account, to: Account) =>
  call('POST', `/${room.id}/transfer`, from, { user_id: to.id });
const fill = async (person: Account, rooms: number) => {
  for (let i = 0; i < rooms; i++) expectStatus(await call('POST', '', person, { name: `Own ${i}` }), 201);
};

describe('the offer of a room', () => {
  test('changes nothing until it is accepted, and is withdrawn, declined or replaced', async () => {
    const room = await createRoom(app, { people: 2, settings: { payer: 'owner' } });
    const [owner, heir, other] = room.people as [Account, Account, Account];
    expect((await read(room, owner)).offered_to).toBeNull();
    expect(expectStatus(await offer(room, owner, other), 200).body.offered_to).toBe(other.id);
    const offered = expectStatus(await offer(room, owner, heir), 200).body;
    expect(offered).toMatchObject({ offered_to: heir.id, owner_id: owner.id, payer: 'owner', my_role: 'owner' });
    expect(Date.parse(offered.offer_expires_at) - Date.now()).toBeGreaterThan(6 * 86_400_000);
    expect(await call('POST', `/${room.id}/transfer/accept`, other)).toMatchObject({ status: 409 });
    expect(await call('DELETE', `/${room.id}/transfer`, other)).toMatchObject({ status: 409 });
    for (const who of [owner, heir]) {
      expectStatus(await offer(room, owner, heir), 200);
      expect(expectStatus(await call('DELETE', `/${room.id}/transfer`, who), 200).body.offered_to).toBeNull();
      expect(await call('POST', `/${room.id}/transfer/accept`, heir)).toMatchObject({ status: 409 });
    }
    const { body } = await app.call('GET', '/v1/events?type=room.transfer_offered', { as: heir.token });
    expect(body.data[0]).toMatchObject({ type: 'room.transfer_offered', data: { id: room.id, owner_id: owner.id } });
  });

  test('makes the person who accepts it the owner, who pays for no one else until they decide so', async () => {
    const room = await createRoom(app, { people: 2, agents: ['Ada'], settings: { payer: 'owner' } });
    const [owner, heir, other] = room.people as [Account, Account, Account];
    expectStatus(await offer(room, owner, heir), 200);
    const accepted = expectStatus(await call('POST', `/${room.id}/transfer/accept`, heir), 200).body;
    expect(accepted).toMatchObject({ owner_id: heir.id, my_role: 'owner', payer: 'sender', offered_to: null });
    expect((await read(room, owner)).my_role).toBe('moderator');
    app.model.script({ when: asAgent('Ada'), deltas: ['Hm.'], times: 2 });
    await room.post(other, '@Ada?');
    await settledTurns(app, room.id, other);
    expect([await sent(heir), await sent(other)]).toEqual([0, 1]);
    expectStatus(await call('PUT', `/${room.id}`, heir, { payer: 'owner' }), 200);
    await room.post(other, '@Ada?');
    await settledTurns(app, room.id, other);
    expect([await sent(heir), await sent(other)]).toEqual([1, 1]);
    const { body } = await app.call('GET', '/v1/events?type=room.transferred', { as: owner.token });
    expect(body.data[0].data).toMatchObject({ id: room.id, owner_id: heir.id, previous_owner_id: owner.id });
  });

  test('cannot be accepted over the limit of the plan, after it has expired, or by someone who left', async () => {
    const room = await createRoom(app, { people: 2 });
    const [owner, heir, leaver] = room.people as [Account, Account, Account];
    await setPlan('free', heir);
    await fill(heir, 3);
    expectStatus(await offer(room, owner, heir), 200);
    const full = { status: 403, body: { error: { code: 'plan_limit_exceeded' } } };
    expect(await call('POST', `/${room.id}/transfer/accept`, heir)).toMatchObject(full);
    await setPlan('creator', heir);
    await app.db.query(`update rooms set offer_expires_at = now() - interval '1 second' where id = $1`, [room.id]);
    expect(await call('POST', `/${room.id}/transfer/accept`, heir)).toMatchObject({ status: 409 });
    expect((await read(room, owner)).offered_to).toBeNull();
    expectStatus(await offer(room, owner, leaver), 200);
    expectStatus(await call('DELETE', `/${room.id}/members/${leaver.id}`, leaver), 200);
    expect((await read(room, owner)).offered_to).toBeNull();
    expect(await offer(room, owner, leaver)).toMatchObject({ status: 409 });
  });

  test('is accepted once, and not after the person has left', async () => {
    const room = await createRoom(app, { people: 1 });
    const [owner, heir] = room.people as [Account, Account];
    expectStatus(await offer(room, owner, heir), 200);
    const lock = ['select from rooms where id = $1 for update', room.id] as const;
    const leave = () => call('DELETE', `/${room.id}/members/${heir.id}`, heir);
    const accept = () => call('POST', `/${room.id}/transfer/accept`, heir);
    const answers = await behindLock(app, lock, [leave, accept]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
    expect(await read(room, owner)).toMatchObject({ owner_id: owner.id, people: 1 });
  });
});

describe('the room of an owner who leaves', () => {
  test('goes to someone whose plan allows it, and makes no one pay', async () => {
    const room = await createRoom(app, { people: 2, settings: { payer: 'owner' } });
    const [owner, full, heir] = room.people as [Account, Account, Account];
    await setPlan('free', full);
    await fill(full, 3);
    expectStatus(await call('DELETE', `/${room.id}/members/${owner.id}`, owner), 200);
    expect(await read(room, full)).toMatchObject({ owner_id: heir.id, payer: 'sender', my_role: 'member' });
    const last = await call('DELETE', `/${room.id}/members/${heir.id}`, heir);
    expect(last).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(await read(room, heir)).toMatchObject({ owner_id: heir.id });
  });
});

describe('an invitation', () => {
  const linkBy = async (
    room: TestRoom,
    by: Account,
    fields: object = {},
  ): Promise<(as: Account) => Promise<number>> => {
    const { token } = expectStatus(await call('POST', `/${room.id}/invitations`, by, fields), 201).body;
    return async (as) => (await call('POST', '/join', as, { token })).status;
  };
  const inviteBy = async (room: TestRoom, by: Account): Promise<() => Promise<number>> => {
    const username = `guest-${Math.random().toString(36).slice(2)}`;
    const guest = await app.signUp({ username });
    expectStatus(await call('POST', `/${room.id}/members`, by, { username }), 201);
    return async () => (await call('POST', `/${room.id}/join`, guest)).status;
  };

  test.each([
    [
      'is banned',
      (room: TestRoom, owner: Account, { id }: Account) =>
        call('PUT', `/${room.id}/members/${id}`, owner, { state: 'banned' }),
    ],
    [
      'is removed',
      (room: TestRoom, owner: Account, { id }: Account) => call('DELETE', `/${room.id}/members/${id}`, owner),
    ],
    [
      'leaves',
      (room: TestRoom, _owner: Account, maker: Account) => call('DELETE', `/${room.id}/members/${maker.id}`, maker),
    ],
    [
      'is demoted',
      (room: TestRoom, owner: Account, { id }: Account) =>
        call('PUT', `/${room.id}/members/${id}`, owner, { role: 'member' }),
    ],
  ])('ends when the moderator who made it %s', async (_name, end) => {
    const room = await createRoom(app, { people: 1 });
    const [owner, moderator] = room.people as [Account, Account];
    expectStatus(await call('PUT', `/${room.id}/members/${moderator.id}`, owner, { role: 'moderator' }), 200);
    const [join, accept] = [await linkBy(room, moderator), await inviteBy(room, moderator)];
    const joinOwners = await linkBy(room, owner);
    expectStatus(await end(room, owner, moderator), 200);
    expect([await join(await app.signUp()), await accept()]).toEqual([404, 404]);
    expect(await joinOwners(await app.signUp())).toBe(200);
    const { body } = await call('GET', `/${room.id}/invitations`, owner);
    const isOpen = ({ revoked_at: at }: { revoked_at: string | null }) => at === null;
    expect(body.data.slice(0, 2).map(isOpen)).toEqual([true, false]);
  });

  test('for moderators ends when the owner who made it hands the room over', async () => {
    const room = await createRoom(app, { people: 1 });
    const [owner, heir] = room.people as [Account, Account];
    const [join, joinAsModerator] = [await linkBy(room, owner), await linkBy(room, owner, { role: 'moderator' })];
    expectStatus(await offer(room, owner, heir), 200);
    expectStatus(await call('POST', `/${room.id}/transfer/accept`, heir), 200);
    expect([await join(await app.signUp()), await joinAsModerator(await app.signUp())]).toEqual([200, 404]);
  });

  test('works while its maker has no restriction and is not being deleted', async () => {
    const room = await createRoom(app, { people: 1 });
    const owner = room.people[0] as Account;
    const [join, accept] = [await linkBy(room, owner), await inviteBy(room, owner)];
    const setLeaving = (at: string) =>
      app.db.query(`update users set deletion_requested_at = ${at} where id = $1`, [owner.id]);
    await setLeaving('now()');
    expect([await join(await app.signUp()), await accept()]).toEqual([404, 404]);
    await setLeaving('null');
    expect([await join(await app.signUp()), await accept()]).toEqual([200, 200]);
  });
});
