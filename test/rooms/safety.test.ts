import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createRoom, messagesOf } from '../support/rooms.ts';
import { openSocket, subscribe } from '../support/socket.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const call = (method: string, path: string, { token }: Account, body?: object) =>
  app.call(method, `/v1/rooms${path}`, { as: token, ...(body && { body }) });

describe('a block', () => {
  test('refuses invitations both ways, as for an unknown name, and marks messages for who blocks only', async () => {
    const room = await createRoom(app, { people: 1, settings: { history: 'all' } });
    const [owner, guest] = room.people as [Account, Account];
    const other = await createRoom(app);
    const [host] = other.people as [Account];
    const nameOf = async ({ token }: Account) => (await app.call('GET', '/v1/auth/me', { as: token })).body.username;
    const block = (by: Account, whom: Account) => app.call('PUT', `/v1/social/blocks/${whom.id}`, { as: by.token });
    expectStatus(await block(owner, guest), 200);
    expectStatus(await block(host, guest), 200);
    const invite = async (by: Account, username: string) => {
      const own = expectStatus(await app.call('POST', '/v1/rooms', { as: by.token, body: { name: 'Own' } }), 201).body;
      const { status, body } = await call('POST', `/${own.id}/members`, by, { username });
      return [status, body.error?.details];
    };
    const unknown = await invite(owner, 'no-such-person');
    expect(unknown[0]).toBe(400);
    expect(await invite(owner, await nameOf(guest))).toEqual(unknown);
    expect(await invite(guest, await nameOf(owner))).toEqual(unknown);
    const streams = await Promise.all(
      [owner, guest].map(async (reader) => {
        const socket = await openSocket(app.baseUrl, reader.token);
        await subscribe(socket, 'a', `room:${room.id}`);
        return socket;
      }),
    );
    await room.post(guest, 'From the one who is blocked.');
    await room.post(owner, 'From the one who blocks.');
    const marks = async (reader: Account) => (await messagesOf(app, room.id, reader)).map(({ blocked }) => blocked);
    expect(await marks(owner)).toEqual([true, false]);
    expect(await marks(guest)).toEqual([false, false]);
    for (const [i, socket] of streams.entries()) {
      const first = await socket.take({ type: 'message.created' });
      const second = await socket.take({ type: 'message.created' });
      expect([first.data?.['blocked'], second.data?.['blocked']]).toEqual([i === 0, false]);
      socket.close();
    }
    expectStatus(await app.call('DELETE', `/v1/social/blocks/${guest.id}`, { as: owner.token }), 200);
    expect(await marks(owner)).toEqual([false, false]);
  });
});
