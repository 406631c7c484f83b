import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { withModerator } from '../support/moderators.ts';
import { eventually } from '../support/eventually.ts';
import { asAgent, createRoom, messagesOf, postMessage, settledTurns } from '../support/rooms.ts';
import { openSocket, subscribe } from '../support/socket.ts';

let app: TestApp;
let desk: TestApp;
let moderator: Account;
beforeAll(async () => {
  app = await startTestApp();
  moderator = await app.signUp();
  desk = await withModerator(app, moderator);
});
afterAll(async () => {
  await desk?.close();
  await app?.close();
});

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

  test('hides an open invitation by name under a block in either direction, and no other membership', async () => {
    const room = await createRoom(app, { people: 1 });
    const [owner, moderator] = room.people as [Account, Account];
    const guest = await app.signUp({ username: `guest-${room.id.slice(-8)}` });
    expectStatus(await call('PUT', `/${room.id}/members/${moderator.id}`, owner, { role: 'moderator' }), 200);
    const invite = async (by: Account) =>
      void expectStatus(await call('POST', `/${room.id}/members`, by, { username: `guest-${room.id.slice(-8)}` }), 201);
    const shown = async () => {
      const { data, total } = expectStatus(await call('GET', '', guest), 200).body;
      return [data.length, total, (await call('GET', `/${room.id}`, guest)).status];
    };
    const block = async (method: 'PUT' | 'DELETE', by: Account, whom: Account) =>
      void expectStatus(await app.call(method, `/v1/social/blocks/${whom.id}`, { as: by.token }), 200);
    const subject = { subject_type: 'room', subject_id: room.id, reason: 'spam' };
    await invite(owner);
    for (const [by, whom] of [
      [guest, owner],
      [owner, guest],
    ] as const) {
      expect(await shown()).toEqual([1, 1, 200]);
      await block('PUT', by, whom);
      expect(await shown()).toEqual([0, 0, 404]);
      const refused = await Promise.all([
        call('POST', `/${room.id}/join`, guest),
        call('POST', `/${room.id}/decline`, guest),
        app.call('POST', '/v1/reports', { as: guest.token, body: subject }),
      ]);
      expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
      await block('DELETE', by, whom);
    }
    await block('PUT', guest, owner);
    await invite(moderator);
    expect(await shown()).toEqual([1, 1, 200]);
    expectStatus(await call('POST', `/${room.id}/join`, guest), 200);
    await block('PUT', guest, moderator);
    expect(await shown()).toEqual([1, 1, 200]);
  });

  test('keeps the agents of who blocks from replying to the blocked person, and to no other', async () => {
    const room = await createRoom(app, { people: 1, agents: ['Bob'] });
    const [owner, guest] = room.people as [Account, Account];
    const maker = await app.signUp();
    const { id: ada } = await app.createAgent(maker.token, { name: 'Ada', is_public: true });
    expectStatus(await call('POST', `/${room.id}/agents`, owner, { agent_id: ada }), 201);
    const sockets = await Promise.all([owner, guest].map(({ token }) => openSocket(app.baseUrl, token)));
    for (const socket of sockets) await subscribe(socket, 'a', `room:${room.id}`);
    const gate = Promise.withResolvers<void>();
    app.model.script({ when: asAgent('Bob'), deltas: ['Ask @Ada.'], gate: gate.promise });
    const waiting = await room.post(owner, '@Bob and @Ada?');
    await eventually(() => app.model.requests.some(({ body }) => asAgent('Bob')(body)));
    expectStatus(await app.call('PUT', `/v1/social/blocks/${owner.id}`, { as: maker.token }), 200);
    gate.resolve();
    const settled = await settledTurns(app, room.id, owner);
    expect(settled.map(({ id, state }) => [id, state])).toEqual(
      waiting.turns.map(({ id, agent_id }) => [id, agent_id === ada ? 'refused' : 'complete']),
    );
    expect((await room.post(owner, '@Ada?')).turns).toEqual([]);
    expect((await call('POST', `/${room.id}/turns`, owner, { agent_id: ada })).status).toBe(404);
    expect((await room.post(guest, '@Ada?')).turns).toMatchObject([{ agent_id: ada }]);
    expectStatus(await call('PUT', `/${room.id}`, owner, { name: 'Cellar' }), 200);
    for (const [i, reader] of [owner, guest].entries()) {
      const shown = [{ available: true }, { agent_id: ada, available: i === 1 }];
      const event = await sockets[i]!.take(({ type, data }) => type === 'room.updated' && data?.['name'] === 'Cellar');
      expect(event.data?.['agents']).toMatchObject(shown);
      expect(expectStatus(await call('GET', `/${room.id}`, reader), 200).body.agents).toMatchObject(shown);
      expect(expectStatus(await call('GET', '', reader), 200).body.data[0].agents).toMatchObject(shown);
      sockets[i]!.close();
    }
  });
});

describe('the moderation of rooms', () => {
  const report = (type: string, id: string, { token }: Account) => {
    const body = { subject_type: type, subject_id: id, reason: 'harassment' };
    return app.call('POST', '/v1/reports', { as: token, body });
  };
  const decide = (type: string, id: string, action: string) => {
    const subject = { subject_type: type, subject_id: id };
    const body = { ...subject, action, reason: 'harassment', statement: 'It threatens a person.' };
    return desk.call('POST', '/v1/moderation/decisions', { as: moderator.token, body });
  };
  const caseOf = (type: string, id: string) =>
    desk.call('GET', `/v1/moderation/cases/${type}/${id}`, { as: moderator.token });

  test('shows a reported message with the five nearest, nothing else, and erases it', async () => {
    const room = await createRoom(app, { people: 1 });
    const [owner, guest] = room.people as [Account, Account];
    const ids: string[] = [];
    for (let n = 1; n <= 12; n++) ids.push((await room.post(n === 6 ? guest : owner, `word-${n}.`)).message.id);
    const reported = ids[5]!;
    const stranger = await app.signUp();
    const unknown = await report('room_message', 'rms_019bc0de-0000-7000-8000-00000000aaaa', stranger);
    const foreign = await report('room_message', reported, stranger);
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    expect(
      (
        await app.call('POST', '/v1/reports', {
          body: { subject_type: 'room_message', subject_id: reported, reason: 'spam' },
        })
      ).status,
    ).toBe(404);
    expect((await caseOf('room_message', reported)).status).toBe(404);
    expect((await decide('room_message', reported, 'remove')).status).toBe(404);
    expectStatus(await report('room_message', reported, owner), 201);
    const { body } = await caseOf('room_message', reported);
    expect(body.case.author_id).toBe(guest.id);
    expect(body.subject.state).toBe('ok');
    expect(body.subject.text.split('\n')[0]).toMatch(/: word-6\.$/);
    const shown = ['word-6', 'word-3', 'word-4', 'word-5', 'word-7', 'word-8'];
    expect(body.subject.text.match(/word-\d+/g)).toEqual(shown);
    expect((await caseOf('room_message', ids[4]!)).status).toBe(404);
    const socket = await openSocket(app.baseUrl, owner.token);
    await subscribe(socket, 'a', `room:${room.id}`);
    expectStatus(await decide('room_message', reported, 'remove'), 201);
    expect((await socket.take({ type: 'message.deleted' })).data).toEqual({ id: reported });
    socket.close();
    expect((await messagesOf(app, room.id, owner))[5]).toMatchObject({ deleted: true, content: '' });
    expect(JSON.stringify((await caseOf('room_message', reported)).body)).not.toContain('word-6');
  });

  test('shows a reported room to moderators, and deletes it', async () => {
    const room = await createRoom(app, { people: 1, settings: { scene: 'A dark cellar.' } });
    const [owner, guest] = room.people as [Account, Account];
    await room.post(owner, 'Unseen.');
    expect((await decide('room', room.id, 'remove')).status).toBe(404);
    expect((await report('room', room.id, await app.signUp())).status).toBe(404);
    expectStatus(await report('room', room.id, guest), 201);
    const { body } = await caseOf('room', room.id);
    expect(body.subject).toMatchObject({ title: 'Kitchen', text: 'A dark cellar.' });
    expect(JSON.stringify(body)).not.toContain('Unseen');
    expectStatus(await decide('room', room.id, 'remove'), 201);
    expect((await call('GET', `/${room.id}`, owner)).status).toBe(404);
    const { data } = (await app.call('GET', '/v1/moderation/decisions', { as: owner.token })).body;
    expect(data[0]).toMatchObject({ subject_type: 'room', subject_id: room.id, action: 'remove' });
  });

  test('silences an agent that was removed, for its owner too, and refuses its waiting turns', async () => {
    const room = await createRoom(app, { people: 1, agents: ['Ada', 'Bob'], settings: { reply_mode: 'auto' } });
    const [owner, guest] = room.people as [Account, Account];
    const [ada, bob] = room.agents.map(({ id }) => id) as [string, string];
    const choosing = (body: Record<string, unknown>) => JSON.stringify(body).includes('Choose which agents');
    await room.post(guest, '@Ada?');
    await settledTurns(app, room.id, guest);
    const gate = Promise.withResolvers<void>();
    app.model.script({ when: asAgent('Bob'), deltas: ['@Ada knows.'], gate: gate.promise });
    const { turns } = await room.post(guest, '@Bob and @Ada?');
    await eventually(() => app.model.requests.some(({ body }) => asAgent('Bob')(body)));
    expectStatus(await report('agent', ada, guest), 201);
    expectStatus(await decide('agent', ada, 'remove'), 201);
    gate.resolve();
    const stateOf = async (agent: string) => {
      const own = (await settledTurns(app, room.id, guest)).filter(({ id }) => turns.some((turn) => turn.id === id));
      return own.find(({ agent_id }) => agent_id === agent)?.state;
    };
    expect([await stateOf(bob), await stateOf(ada)]).toEqual(['complete', 'refused']);
    const asked = app.model.requests.length;
    for (const person of [owner, guest]) {
      const { agents } = expectStatus(await call('GET', `/${room.id}`, person), 200).body;
      expect(agents).toMatchObject([
        { agent_id: ada, available: false },
        { agent_id: bob, available: true },
      ]);
      expect((await room.post(person, '@Ada?')).turns).toEqual([]);
      expect((await call('POST', `/${room.id}/turns`, person, { agent_id: ada })).status).toBe(404);
    }
    const chosen = await eventually(() => {
      const choices = app.model.requests.slice(asked).filter(({ body }) => choosing(body));
      return choices.length === 2 ? choices : null;
    });
    for (const { body } of chosen) expect(JSON.stringify(body)).toMatch(/begin agents \w+ ===\\nBob: \\n=== end/);
    const said = (await messagesOf(app, room.id, guest)).find(({ author }) => author.name === 'Ada');
    expect(said?.author).toMatchObject({ id: null, avatar_url: null });
  });

  test('keeps a restricted account from writing, and lets it read and leave', async () => {
    const room = await createRoom(app, { people: 1, agents: ['Ada'] });
    const [owner, guest] = room.people as [Account, Account];
    const { message } = await room.post(guest, 'A threat.');
    expectStatus(await report('room_message', message.id, owner), 201);
    expectStatus(await decide('room_message', message.id, 'restrict_author'), 201);
    const image = { as: guest.token, body: { kind: 'avatar', prompt: 'A cat' } };
    const answers = await Promise.all([
      call('POST', '', guest, { name: 'Another' }),
      postMessage(app, room.id, guest, 'Again.'),
      call('POST', `/${room.id}/turns`, guest, { agent_id: room.agents[0]!.id }),
      call('POST', `/${room.id}/members`, guest, { username: 'ada' }),
      call('POST', `/${room.id}/invitations`, guest, {}),
      app.call('POST', '/v1/images', image),
    ]);
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(answers.map(() => [403, 'forbidden']));
    expect(await messagesOf(app, room.id, guest)).toHaveLength(1);
    expectStatus(await call('DELETE', `/${room.id}/members/${guest.id}`, guest), 200);
    expectStatus(await decide('room_message', message.id, 'restore'), 201);
    expectStatus(await call('POST', '', guest, { name: 'Another' }), 201);
  });
});
