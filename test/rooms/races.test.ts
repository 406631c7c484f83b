import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { behindLock } from '../support/behind-lock.ts';
import { type Account, type Answer, expectStatus } from '../support/client.ts';
import { createRoom, postMessage } from '../support/rooms.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Request = () => Promise<Answer>;

/** Sends requests that get the room's lock one after the other, and returns their statuses. */
const inOrder = async (roomId: string, ...requests: Request[]): Promise<number[]> => {
  const answers = await behindLock(app, ['select from rooms where id = $1 for update', roomId], requests);
  return answers.map(({ status }) => status);
};

const put = (roomId: string, by: Account, of: Account, body: object): Request => {
  const path = `/v1/rooms/${roomId}/members/${of.id}`;
  return () => app.call('PUT', path, { as: by.token, body });
};
const ban = (roomId: string, by: Account, of: Account): Request => put(roomId, by, of, { state: 'banned' });

async function stateOf(roomId: string, { id }: Account): Promise<string | undefined> {
  const sql = 'select state from room_members where room_id = $1 and user_id = $2';
  return (await app.db.query(sql, [roomId, id])).rows[0]?.state;
}

async function invite(roomId: string, owner: Account): Promise<Account> {
  const username = `guest-${Math.random().toString(36).slice(2)}`;
  const guest = await app.signUp({ username });
  const body = { username };
  expectStatus(await app.call('POST', `/v1/rooms/${roomId}/members`, { as: owner.token, body }), 201);
  return guest;
}

async function linkTo(roomId: string, by: Account, fields: object = {}): Promise<(as: Account) => Request> {
  const link = await app.call('POST', `/v1/rooms/${roomId}/invitations`, { as: by.token, body: fields });
  const body = { token: expectStatus(link, 201).body.token };
  return ({ token }) =>
    () =>
      app.call('POST', '/v1/rooms/join', { as: token, body });
}

describe('requests that wait for the same room', () => {
  test('do not admit a person who is banned first', async () => {
    const { id, people } = await createRoom(app);
    const owner = people[0] as Account;
    const guest = await invite(id, owner);
    const accept = () => app.call('POST', `/v1/rooms/${id}/join`, { as: guest.token });
    expect(await inOrder(id, ban(id, owner, guest), accept)).toEqual([200, 404]);
    expect(await stateOf(id, guest)).toBe('banned');

    const other = await invite(id, owner);
    const joinBy = await linkTo(id, owner);
    expect(await inOrder(id, ban(id, owner, other), joinBy(other))).toEqual([200, 404]);
    expect(await stateOf(id, other)).toBe('banned');
  });

  test('store no message and no turn of a person who is banned first', async () => {
    const { id, people, agents } = await createRoom(app, { people: 1, agents: ['Ada'] });
    const [owner, member] = people as [Account, Account];
    const post = () => postMessage(app, id, member, '@Ada hello?');
    const body = { agent_id: agents[0]?.id };
    const summon = () => app.call('POST', `/v1/rooms/${id}/turns`, { as: member.token, body });
    expect(await inOrder(id, ban(id, owner, member), post, summon)).toEqual([200, 404, 404]);
    const written = 'select from room_messages where room_id = $1 union all select from room_turns where room_id = $1';
    expect((await app.db.query(written, [id])).rowCount).toBe(0);
  });

  test('let a moderator who is banned or demoted first change nothing', async () => {
    const { id, people } = await createRoom(app, { people: 3 });
    const [owner, moderator, demoted, victim] = people as [Account, Account, Account, Account];
    for (const one of [moderator, demoted]) expectStatus(await put(id, owner, one, { role: 'moderator' })(), 200);
    const link = await app.call('POST', `/v1/rooms/${id}/invitations`, { as: owner.token, body: {} });
    const path = `/v1/rooms/${id}/invitations/${expectStatus(link, 201).body.id}`;
    const revoke = () => app.call('DELETE', path, { as: demoted.token });
    const demote = put(id, owner, demoted, { role: 'member' });
    const statuses = await inOrder(id, ban(id, owner, moderator), ban(id, moderator, victim), demote, revoke);
    expect(statuses).toEqual([200, 404, 200, 403]);
    expect(await stateOf(id, victim)).toBe('joined');
  });

  test('admit as many people by a link as it may have uses, and one person once', async () => {
    const { id, people } = await createRoom(app);
    const owner = people[0] as Account;
    const joinBy = await linkTo(id, owner, { max_uses: 1 });
    const [one, two, three] = [await app.signUp(), await app.signUp(), await app.signUp()];
    expect(await inOrder(id, joinBy(one), joinBy(two), joinBy(three))).toEqual([200, 404, 404]);

    const guest = await invite(id, owner);
    const accept = () => app.call('POST', `/v1/rooms/${id}/join`, { as: guest.token });
    expect(await inOrder(id, accept, accept, accept)).toEqual([200, 404, 404]);
  });

  test('do not admit a person whose invitation is withdrawn first', async () => {
    const { id, people } = await createRoom(app);
    const owner = people[0] as Account;
    const guest = await invite(id, owner);
    const withdraw = () => app.call('DELETE', `/v1/rooms/${id}/members/${guest.id}`, { as: owner.token });
    const accept = () => app.call('POST', `/v1/rooms/${id}/join`, { as: guest.token });
    expect(await inOrder(id, withdraw, accept)).toEqual([200, 404]);
  });
});
