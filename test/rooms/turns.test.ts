import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { addPerson, asAgent, createRoom, messagesOf, postMessage, settledTurns } from '../support/rooms.ts';
import { openSocket, subscribe } from '../support/socket.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => app.model.reset());
afterAll(() => app.close());

describe('a reply that breaks off after text was shown', () => {
  test('stays in the room as a broken message and is refunded, and its agent can reply again', async () => {
    const room = await createRoom(app, { agents: ['Ada'] });
    const [owner] = room.people;
    const used = async () =>
      expectStatus(await app.call('GET', '/v1/billing/usage', { as: owner!.token }), 200).body.usage.messages_sent;
    app.model.script({ when: asAgent('Ada'), deltas: ['Half of', ' a reply'], fault: { kind: 'drop', after: 2 } });
    await room.post(owner!, 'Hello?');
    const [failed] = await settledTurns(app, room.id, owner!);
    expect(failed).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('broke off') } });
    const [, reply] = await messagesOf(app, room.id, owner!);
    expect(reply).toMatchObject({
      content: 'Half of a reply',
      broken: true,
      id: failed!.message_id,
      turn_id: failed!.id,
    });
    expect(await used()).toBe(0);
    app.model.script({ when: asAgent('Ada'), deltas: ['All of it'] });
    const body = { agent_id: room.agents[0]!.id };
    expectStatus(await app.call('POST', `/v1/rooms/${room.id}/turns`, { as: owner!.token, body }), 201);
    await settledTurns(app, room.id, owner!);
    expect((await messagesOf(app, room.id, owner!)).map(({ content }) => content)).toEqual([
      'Hello?',
      'Half of a reply',
      'All of it',
    ]);
    expect(JSON.stringify(app.model.requests.at(-1)?.body)).toContain('Half of a reply […]');
    expect(await used()).toBe(1);
  });
});

describe('who replies in a room', () => {
  test('is the agent that a message addresses, once, and no other with two people', async () => {
    const room = await createRoom(app, { people: 1, agents: ['Ada', 'Bob'] });
    const [owner, guest] = room.people;
    app.model.script({ when: asAgent('Ada'), deltas: ['No, ', '7 times 13.'] });
    const posted = await room.post(guest!, '@ada is 91 a prime?');
    expect(posted.message.mentions).toEqual([{ kind: 'agent', id: room.agents[0]!.id }]);
    expect(posted.turns).toMatchObject([{ agent_id: room.agents[0]!.id, hop: 0, state: 'queued' }]);
    expect(await settledTurns(app, room.id, owner!)).toMatchObject([
      { state: 'complete', root_message_id: posted.message.id },
    ]);
    const messages = await messagesOf(app, room.id, owner!);
    expect(messages.map(({ position, content, author: { kind } }) => [position, kind, content])).toEqual([
      [1, 'user', '@ada is 91 a prime?'],
      [2, 'agent', 'No, 7 times 13.'],
    ]);
    expect((await room.post(owner!, 'We know, thanks.')).turns).toEqual([]);
    expect((await room.post(owner!, 'Mail ada@example.com and ask @Adam.')).turns).toEqual([]);
  });

  test('is the only agent when a person is alone with it, and who a reply refers to', async () => {
    const room = await createRoom(app, { agents: ['Ada'] });
    const [owner] = room.people;
    expect((await room.post(owner!, 'Hello?')).turns).toHaveLength(1);
    await settledTurns(app, room.id, owner!);
    const [, reply] = await messagesOf(app, room.id, owner!);
    await addPerson(app, room.id, owner!);
    expect((await room.post(owner!, 'Hello?')).turns).toHaveLength(0);
    const referring = await room.post(owner!, 'Why?', { reply_to: reply!.id });
    expect(referring).toMatchObject({ message: { reply_to: reply!.id }, turns: [{ agent_id: room.agents[0]!.id }] });
    for (const reply_to of ['rms_nothing', ''])
      expect(await postMessage(app, room.id, owner!, 'Why?', { reply_to })).toMatchObject({
        status: 400,
        body: { error: { details: [{ field: 'reply_to' }] } },
      });
  });

  test('is every agent under all, addressed ones first, and the next one under rotate; never a muted one', async () => {
    const all = await createRoom(app, {
      people: 1,
      agents: ['Ada', 'Bob', 'Cleo', 'Dan'],
      settings: { reply_mode: 'all' },
    });
    const owner = all.people[0]!;
    const [ada, bob, cleo, dan] = all.agents.map(({ id }) => id);
    const speakers = async (room: typeof all, content: string) =>
      (await room.post(room.people[0]!, content)).turns.map(({ agent_id }) => agent_id);
    expect(await speakers(all, 'Anyone?')).toEqual([ada, bob, cleo]);
    expect(await speakers(all, '@Dan first.')).toEqual([dan, ada, bob]);
    const mute = await app.call('PUT', `/v1/rooms/${all.id}/agents/${ada}`, { as: owner.token, body: { muted: true } });
    expect(expectStatus(mute, 200).body.agents[0]).toMatchObject({ agent_id: ada, muted: true });
    expect(await speakers(all, '@Ada?')).toEqual([bob, cleo, dan]);

    const rotate = await createRoom(app, { people: 1, agents: ['Ada', 'Bob'], settings: { reply_mode: 'rotate' } });
    const [one, two] = rotate.agents.map(({ id }) => id);
    expect(await speakers(rotate, 'First.')).toEqual([one]);
    expect(await speakers(rotate, '@Ada again.')).toEqual([one]);
    expect(await speakers(rotate, 'Second.')).toEqual([two]);
    expect(await speakers(rotate, 'Third.')).toEqual([one]);
  });

  test('is whom a model chooses under auto, and only who is addressed when the model fails', async () => {
    const settings = { reply_mode: 'auto' };
    const room = await createRoom(app, { people: 1, agents: ['Ada', 'Bob', 'Cleo'], settings });
    const [owner] = room.people;
    const choosing = (body: Record<string, unknown>) => JSON.stringify(body).includes('Choose which agents');
    app.model.script({ when: choosing, deltas: ['["Bob"]'] });
    expect((await room.post(owner!, 'Who knows?')).turns).toEqual([]);
    await expect
      .poll(() => settledTurns(app, room.id, owner!), { timeout: 30_000 })
      .toMatchObject([{ agent_id: room.agents[1]!.id, state: 'complete' }]);
    app.model.script({ when: choosing, deltas: ['Bob should.'] });
    app.model.script({ when: choosing, status: 400 });
    await room.post(owner!, 'And now?');
    const { turns } = await room.post(owner!, '@Cleo?');
    expect(turns).toMatchObject([{ agent_id: room.agents[2]!.id }]);
    expect(await settledTurns(app, room.id, owner!)).toHaveLength(2);
  });
});

describe('a chain of agents', () => {
  const talkForEver = () => {
    app.model.script({ when: asAgent('Ada'), deltas: ['Ask @Bob.'], times: 50 });
    app.model.script({ when: asAgent('Bob'), deltas: ['Ask @Ada.'], times: 50 });
  };

  test('ends at the limits of hops and of replies to a message', async () => {
    talkForEver();
    const settings = { agent_hops: 4, replies_per_message: 8 };
    const room = await createRoom(app, { people: 1, agents: ['Ada', 'Bob'], settings });
    const [owner, guest] = room.people;
    const written = async () => (await settledTurns(app, room.id, owner!)).filter(({ state }) => state === 'complete');
    await room.post(owner!, '@Ada, begin.');
    expect((await written()).map(({ hop }) => hop)).toEqual([0, 1, 2, 3, 4]);
    await room.post(guest!, '@Ada and @Bob, begin.');
    expect(await written()).toHaveLength(13);
    await room.post(owner!, '@Bob, again.');
    expect(await written()).toHaveLength(18);
    const dropped = (await settledTurns(app, room.id, owner!)).filter(({ state }) => state === 'dropped');
    expect(dropped).toHaveLength(1);
  });

  test('does not start when no hops are allowed', async () => {
    talkForEver();
    const room = await createRoom(app, { people: 1, agents: ['Ada', 'Bob'] });
    await room.post(room.people[0]!, '@Ada, begin.');
    expect(await settledTurns(app, room.id, room.people[0]!)).toHaveLength(1);
  });
});

describe('a person who joins later', () => {
  test('sees no earlier turn, and no id of an earlier message', async () => {
    const room = await createRoom(app, { agents: ['Ada', 'Bob'], settings: { agent_hops: 1 } });
    const owner = room.people[0]!;
    app.model.script({ when: asAgent('Ada'), status: 400 });
    const hidden = await room.post(owner, '@Ada, a secret.');
    expect(await settledTurns(app, room.id, owner)).toMatchObject([{ state: 'failed' }]);
    const gate = Promise.withResolvers<void>();
    app.model.script({ when: asAgent('Ada'), deltas: ['Ask @Bob.'], gate: gate.promise });
    const running = await room.post(owner, '@Ada, begin.');
    await eventually(() => app.model.requests.some(({ body }) => JSON.stringify(body).includes('@Ada, begin.')));
    const guest = await addPerson(app, room.id, owner);
    const turnsOf = (by: Account, query = '') =>
      app.call('GET', `/v1/rooms/${room.id}/turns${query}`, { as: by.token });
    expect((await turnsOf(guest)).body).toEqual({ data: [], has_more: false });
    expect((await turnsOf(guest, `?before=${hidden.turns[0]!.id}`)).status).toBe(400);
    const [forGuest, forOwner] = await Promise.all(
      [guest, owner].map(async ({ token }) => {
        const socket = await openSocket(app.baseUrl, token);
        await subscribe(socket, 'a', `room:${room.id}`);
        return socket;
      }),
    );
    const begun = { id: running.turns[0]!.id, root_message_id: null };
    expect((await forGuest!.take({ type: 'turn.started' })).data).toMatchObject(begun);
    gate.resolve();
    expect((await forGuest!.take({ type: 'turn.done' })).data).toMatchObject(begun);
    const root = { root_message_id: running.message.id };
    expect((await forOwner!.take({ type: 'turn.done' })).data).toMatchObject({ ...begun, ...root });
    const [, , ofBob] = await settledTurns(app, room.id, owner);
    expect(ofBob).toMatchObject({ hop: 1, ...root });
    expect(await settledTurns(app, room.id, guest)).toMatchObject([{ id: ofBob!.id, root_message_id: null }]);

    const referring = await room.post(owner, 'As I said.', { reply_to: hidden.message.id });
    const isIt = { type: 'message.created', offset: String(referring.message.position) };
    expect((await forGuest!.take(isIt)).data).toMatchObject({ id: referring.message.id, reply_to: null });
    expect((await forOwner!.take(isIt)).data).toMatchObject({ reply_to: hidden.message.id });
    const replyTo = async (by: Account) => (await messagesOf(app, room.id, by)).at(-1)?.reply_to;
    expect([await replyTo(guest), await replyTo(owner)]).toEqual([null, hidden.message.id]);
    forGuest!.close();
    forOwner!.close();
  });
});
