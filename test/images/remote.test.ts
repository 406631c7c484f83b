import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';
import { pathOf, picture } from '../support/images.ts';
import { type PictureHost, startPictureHost } from '../support/picture-host.ts';
import { createRoom } from '../support/rooms.ts';
import { openSocket, subscribe } from '../support/socket.ts';

let app: TestApp;
let host: PictureHost;
let owner: Account;
beforeAll(async () => {
  host = await startPictureHost();
  app = await startTestApp();
  owner = await app.signUp();
});
afterAll(async () => {
  await app.close();
  await host.close();
});
beforeEach(() => void (host.received.length = 0));

const respond = (status: number, body: Uint8Array | string, headers: Record<string, string> = {}) =>
  host.respond(status, body, headers);

const pictureOf = async (on: TestApp, url: string): Promise<{ medium: string; aiGenerated: boolean } | null> => {
  await on.call('PUT', '/v1/auth/me', { as: owner.token, body: { avatar_url: url } });
  const { body } = await on.graphql('{ me { picture { medium aiGenerated placeholder } } }', { as: owner.token });
  return body.data.me.picture;
};
const shown = async (url: string, on: TestApp = app) =>
  on.send('GET', pathOf((await pictureOf(on, url))?.medium ?? 'http://x/'));

describe('a picture on another host', () => {
  test('is fetched once by the service, without metadata, and shown from its own address', async () => {
    const photo = await sharp(Buffer.from(await picture(500, 400, 'jpeg')))
      .withExif({ IFD0: { Copyright: 'secret-person' } })
      .toBuffer();
    respond(200, photo);
    const url = `${host.url}/portrait.jpg`;
    const picture1 = await pictureOf(app, url);
    expect(picture1?.medium).toMatch(/\/images\/remote\//);
    const responses = await Promise.all([1, 2, 3].map(() => shown(url)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const bytes = Buffer.from(await responses[0]!.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
    expect(bytes.toString('latin1')).not.toContain('secret-person');
    expect((await shown(url)).status).toBe(200);
    expect(host.received).toHaveLength(1);
    expect(host.received[0]).not.toHaveProperty('authorization');
  });

  const unusable: [string, number, () => Promise<Uint8Array | string>][] = [
    ['HTML', 200, async () => '<html></html>'],
    ['SVG', 200, async () => '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['an error', 404, async () => picture(200, 200)],
    ['a redirect', 302, async () => picture(200, 200)],
    ['more than 5 MB', 200, async () => Buffer.concat([Buffer.from(await picture(200, 200)), Buffer.alloc(6_000_000)])],
  ];
  test.each(unusable)('is not shown when it is %s, and not requested again', async (what, status, content) => {
    respond(status, await content(), { location: 'https://169.254.169.254/' });
    const url = `${host.url}/${encodeURIComponent(what)}`;
    expect((await shown(url)).status).toBe(404);
    expect((await shown(url)).status).toBe(404);
    expect(host.received).toHaveLength(1);
  });

  test('is not fetched from an address that the service did not sign', async () => {
    const address = pathOf((await pictureOf(app, `${host.url}/signed.png`))?.medium ?? '');
    respond(200, await picture(200, 200));
    const other = address.replace(/url=.*/, `url=${encodeURIComponent(`${host.url}/other.png`)}`);
    expect((await app.send('GET', other)).status).toBe(404);
    expect(
      (
        await app.send(
          'GET',
          address.replace(/remote\/./, (start) => (start.endsWith('_') ? 'remote/-' : 'remote/_')),
        )
      ).status,
    ).toBe(404);
    expect((await app.send('GET', '/images/remote/x.webp')).status).toBe(404);
    expect(host.received).toHaveLength(0);
  });

  test('is not fetched from a network that is not public', async () => {
    const guarded = await startTestApp({
      databaseUrl: app.databaseUrl,
      env: { WEBHOOK_ALLOW_PRIVATE: 'false', DATA_DIR: app.dataDir },
    });
    try {
      const before = host.connections();
      for (const name of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '0x7f.1'])
        expect([name, (await shown(`https://${name}:${host.port}/ssrf`, guarded)).status]).toEqual([name, 404]);
      expect(host.connections()).toBe(before);
    } finally {
      await guarded.close();
    }
  });

  test('is shown in rooms and their events from the service’s own address', async () => {
    const room = await createRoom(app, { people: 1, agents: ['Ada'] });
    const [as, guest] = room.people.map(({ token }) => token) as [string, string];
    const url = `${host.url}/in-a-room.png`;
    await app.call('PUT', '/v1/auth/me', { as: guest, body: { avatar_url: url } });
    await app.call('PUT', `/v1/agents/${room.agents[0]!.id}`, { as, body: { avatar_url: url } });
    const socket = await openSocket(app.baseUrl, as);
    await subscribe(socket, '1', `room:${room.id}`);
    await room.post(room.people[1]!, 'Hello.');
    await app.call('PUT', `/v1/rooms/${room.id}`, { as, body: { name: 'Pantry' } });
    const created = await socket.take({ type: 'message.created' });
    const updated = await socket.take({ type: 'room.updated' });
    socket.close();
    const { body } = await app.graphql(
      `query ($id: ID!) {
        room(id: $id) { agents { picture { small medium } } }
        roomMembers(roomId: $id) { data { picture { small medium } } }
        roomMessages(roomId: $id) { data { author { picture { small medium } } } }
      }`,
      { as, variables: { id: room.id } },
    );
    const { room: seen, roomMembers, roomMessages } = body.data;
    const small = expect.stringContaining(`/images/remote/`);
    const shownPicture = expect.objectContaining({ small, medium: small });
    expect(seen.agents).toEqual([{ picture: shownPicture }]);
    expect(roomMembers.data).toEqual([{ picture: null }, { picture: shownPicture }]);
    expect(roomMessages.data).toEqual([{ author: { picture: shownPicture } }]);
    expect(created.data).toMatchObject({ author: { avatar_url: url, picture: shownPicture } });
    expect(updated.data).toMatchObject({ agents: [{ avatar_url: url, picture: shownPicture }] });
  });

  test('is not shown from http', async () => {
    expect(await pictureOf(app, 'http://example.com/a.png')).toBeNull();
  });
});
