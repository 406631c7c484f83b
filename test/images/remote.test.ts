import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../src/app/commands.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';
import { pathOf, picture } from '../support/images.ts';
import { eventually } from '../support/eventually.ts';
import { type PictureHost, startPictureHost } from '../support/picture-host.ts';
import { createRoom } from '../support/rooms.ts';
import { limitsTime } from '../support/wall-clock.ts';
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

  test('is shown only while it is an avatar of an account or of an agent that exists', async () => {
    respond(200, await picture(200, 200));
    const url = `${host.url}/for-a-while.png`;
    const path = pathOf((await pictureOf(app, url))?.medium ?? '');
    expect((await app.send('GET', path)).status).toBe(200);
    const agent = await app.createAgent(owner.token, { avatar_url: url });
    await pictureOf(app, `${host.url}/another.png`);
    expect((await app.send('GET', path)).headers.get('cache-control')).toBe('public, max-age=3600');
    await app.call('DELETE', `/v1/agents/${agent.id}`, { as: owner.token });
    expect((await app.send('GET', path)).status).toBe(404);
    expect(host.received).toHaveLength(1);
  });

  test('is not shown when the content check flags it', async () => {
    respond(200, await picture(200, 200));
    const results = [{ flagged: true, categories: { sexual: true }, category_scores: {} }];
    app.model.script({ endpoint: 'moderations', answer: { id: 'm', model: 'm', results }, times: 1 });
    const url = `${host.url}/flagged.png`;
    expect((await shown(url)).status).toBe(404);
    expect((await shown(url)).status).toBe(404);
    expect(host.received).toHaveLength(1);
  });

  test('counts against the account that shows it, whose oldest copies are replaced and their files removed', async () => {
    const person = await app.signUp();
    respond(200, await picture(200, 200));
    const url = `${host.url}/counted.png`;
    await app.call('PUT', '/v1/auth/me', { as: person.token, body: { avatar_url: url } });
    const { body } = await app.graphql('{ me { picture { medium } } }', { as: person.token });
    await app.db.query(
      `insert into remote_images (id, owner_id, is_usable, folder, size_bytes, expires_at)
       select 'old' || i, $1, true, 'folder' || i, 1000, now() + i * interval '1 second' from generate_series(1, 200) i`,
      [person.id],
    );
    expect((await app.send('GET', pathOf(body.data.me.picture.medium))).status).toBe(200);
    const { rows } = await app.db.query(
      `select count(*)::integer as copies, bool_or(id = 'old1') as oldest, stored_bytes_of($1)::integer as bytes,
         sum(500 + size_bytes)::integer as expected from remote_images where owner_id = $1`,
      [person.id],
    );
    expect(rows[0]).toMatchObject({ copies: 200, oldest: false });
    expect(rows[0].bytes).toBe(rows[0].expected);
    await eventually(
      async () => (await app.db.query(`select from tasks where kind = 'remote-image.remove'`)).rowCount === 0,
    );
  });

  test('is fetched at most 400 times an hour for an account, also when that fails', async () => {
    const person = await app.signUp();
    await app.db.query(
      `insert into rate_limits (key, points, expire) values ($1, 400, (extract(epoch from now() + interval '1 hour') * 1000)::bigint)`,
      [`400/3600:remote-images:${person.id}`],
    );
    await app.call('PUT', '/v1/auth/me', { as: person.token, body: { avatar_url: `${host.url}/often.png` } });
    const { body } = await app.graphql('{ me { picture { medium } } }', { as: person.token });
    const refused = await app.send('GET', pathOf(body.data.me.picture.medium));
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(host.received).toHaveLength(0);
  });

  test('can be reported and taken down, and is not fetched again', async () => {
    respond(200, await picture(200, 200));
    const person = await app.signUp();
    const url = `${host.url}/reported.png`;
    await app.call('PUT', '/v1/auth/me', { as: person.token, body: { avatar_url: url } });
    const { body } = await app.graphql('{ me { picture { medium } } }', { as: person.token });
    const address = body.data.me.picture.medium as string;
    expect((await app.send('GET', pathOf(address))).status).toBe(200);
    const report = { subject_type: 'image', subject_id: address, reason: 'sexual', comment: 'Not an avatar.' };
    expect((await app.call('POST', '/v1/reports', { as: owner.token, body: report })).status).toBe(201);
    const { rows } = await app.db.query(
      `select author_id from moderation_cases where id like 'image:%' and author_id = $1`,
      [person.id],
    );
    expect(rows).toHaveLength(1);
    await commands['take-down-image']?.(
      { PROFILE: 'embedded', DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir, PORT: '0', LOG_LEVEL: 'silent' },
      [address, 'Reported.'],
      new AbortController().signal,
    );
    await app.db.query(`update remote_images set expires_at = now() - interval '1 day' where owner_id = $1`, [
      person.id,
    ]);
    expect((await app.send('GET', pathOf(address))).status).toBe(404);
    expect(host.received).toHaveLength(1);
  });

  test('on a host that does not respond holds up no other account, and the host is paused', limitsTime, async () => {
    const slow = await startPictureHost('localhost');
    try {
      slow.hangAt('/');
      const attacker = await app.signUp({ plan: 'creator' });
      const paths: string[] = [];
      for (let i = 0; i < 12; i++) {
        const body = { avatar_url: `${slow.url}/${i}.png` };
        const agent = await app.createAgent(attacker.token, { ...body, name: `Agent ${i}` });
        const answer = await app.graphql('query ($id: ID!) { agent(id: $id) { picture { medium } } }', {
          as: attacker.token,
          variables: { id: agent.id },
        });
        paths.push(pathOf(answer.body.data.agent.picture.medium));
      }
      const hanging = paths.map((path) => app.send('GET', path));
      await eventually(() => slow.connections() > 0);
      respond(200, await picture(200, 200));
      const startedAt = performance.now();
      expect((await shown(`${host.url}/meanwhile.png`)).status).toBe(200);
      expect(performance.now() - startedAt).toBeLessThan(2_900);
      const statuses = (await Promise.all(hanging)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 503)).toHaveLength(2);
      expect(statuses.filter((status) => status === 404)).toHaveLength(10);
      expect(slow.received).toHaveLength(2);
    } finally {
      await slow.close();
    }
  });

  test('is not shown from http', async () => {
    expect(await pictureOf(app, 'http://example.com/a.png')).toBeNull();
  });
});
