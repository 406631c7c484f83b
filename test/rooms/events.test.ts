import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readRoomLog } from '../../src/rooms/events/read-log.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus, readEvents, type SseEvent } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { addPerson, asAgent, createRoom, messagesOf, postMessage, settledTurns } from '../support/rooms.ts';
import { type Frame, openSocket, subscribe } from '../support/socket.ts';

const secrets = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'b'.repeat(40) };

let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: secrets });
  other = await startTestApp({ env: secrets, databaseUrl: app.databaseUrl });
});
afterEach(() => app.model.reset());
afterAll(async () => {
  await other?.close();
  await app?.close();
});

const logged = ({ op, type }: Frame) => op === 'event' && type !== 'presence' && type !== 'typing';
const textOf = (frames: readonly Frame[]): string =>
  frames
    .filter(({ type }) => type === 'turn.delta')
    .map(({ data }) => data?.['content'])
    .join('');

describe('the channel of a room', () => {
  test('sends the same reply in order to people on two instances, and messages while it is written', async () => {
    const room = await createRoom(app, { people: 1, agents: ['Ada'] });
    const [owner, guest] = room.people;
    const gate = Promise.withResolvers<void>();
    app.model.script({
      when: asAgent('Ada'),
      deltas: ['One', ' two', ' three.'],
      deltaDelayMs: 30,
      gate: gate.promise,
    });
    const here = await openSocket(app.baseUrl, owner!.token);
    const there = await openSocket(other.baseUrl, guest!.token);
    await subscribe(here, 'a', `room:${room.id}`);
    await subscribe(there, 'b', `room:${room.id}`);
    await room.post(owner!, '@Ada count.');
    for (const socket of [here, there]) await socket.take({ type: 'turn.started' });
    expectStatus(await postMessage(other, room.id, guest!, 'Meanwhile.'), 201);
    for (const socket of [here, there]) await socket.take((frame) => frame.data?.['content'] === 'Meanwhile.');
    gate.resolve();
    for (const socket of [here, there]) {
      const done = await socket.take({ op: 'event', type: 'turn.done' });
      expect(done).toMatchObject({ data: { state: 'complete' } });
      const types = socket.frames.filter(logged).map(({ type }) => type);
      expect(types.filter((type, i) => type !== types[i - 1])).toEqual([
        'message.created',
        'turn.started',
        'message.created',
        'turn.delta',
        'message.created',
        'turn.done',
      ]);
      expect(textOf(socket.frames)).toBe('One two three.');
      const stored = socket.frames.filter(({ type }) => type === 'message.created');
      expect(stored.map(({ offset, data }) => [offset, data?.['content']])).toEqual([
        ['1', '@Ada count.'],
        ['2', 'Meanwhile.'],
        ['3', 'One two three.'],
      ]);
      socket.close();
    }
  });

  test('resumes after the last offset, of a message, another event and a piece of a reply, over socket and SSE', async () => {
    const room = await createRoom(app, { people: 1, agents: ['Ada'] });
    const [owner, guest] = room.people;
    const first = await openSocket(app.baseUrl, owner!.token);
    const begun = await subscribe(first, '1', `room:${room.id}`);
    app.model.script({ when: asAgent('Ada'), deltas: ['One', ' two', ' three.'], deltaDelayMs: 100 });
    await room.post(owner!, '@Ada count.');
    const piece = await first.take({ type: 'turn.delta' });
    first.close();
    await settledTurns(app, room.id, owner!);
    await app.call('PUT', `/v1/rooms/${room.id}`, { as: owner!.token, body: { name: 'Pantry' } });
    const expected = ['1 message.created', '2 message.created', 'turn.done', 'room.updated'];
    const seen = (type: string, offset: string) => (offset.includes('.') ? type : `${offset} ${type}`);

    const second = await openSocket(other.baseUrl, owner!.token);
    expect(await subscribe(second, '1', `room:${room.id}`, begun.offset)).toMatchObject({ resumed: 'caught_up' });
    await second.take({ type: 'room.updated' });
    expect(second.frames.filter(logged).map(({ type, offset }) => seen(type!, offset!))).toEqual(expected);
    expect(await subscribe(second, '2', `room:${room.id}`, piece.offset)).toMatchObject({ resumed: 'caught_up' });
    await second.take({ id: '2', type: 'room.updated' });
    const again = second.frames.filter((frame) => frame.id === '2' && logged(frame));
    expect(again.map(({ type, offset }) => seen(type!, offset!))).toEqual(expected.slice(1));
    expect(await subscribe(second, '3', `room:${room.id}`, '99')).toMatchObject({ resumed: 'gap' });
    second.close();

    const leave = new AbortController();
    const response = await other.send('GET', `/v1/rooms/${room.id}/events`, {
      as: guest!.token,
      headers: { 'last-event-id': '1' },
      signal: leave.signal,
    });
    const events: SseEvent[] = [];
    for await (const event of readEvents(response)) {
      if (event.event !== 'presence') events.push(event);
      if (event.event === 'room.updated') break;
    }
    leave.abort();
    expect(events[0]).toMatchObject({ event: 'subscribed', data: { resumed: 'caught_up', offset: '1' } });
    expect(events.slice(1).map(({ event, id }) => seen(event, id))).toEqual(expected.slice(1));
    expect(events[1]?.data).toMatchObject({ content: 'One two three.', author: { kind: 'agent', name: 'Ada' } });
  });

  test('ends for someone who is removed during a reply, on another instance too', async () => {
    const room = await createRoom(app, { people: 2, agents: ['Ada'] });
    const [owner, guest, witness] = room.people;
    const gate = Promise.withResolvers<void>();
    app.model.script({ when: asAgent('Ada'), deltas: ['One', ' two'], gate: gate.promise });
    const removed = await openSocket(other.baseUrl, guest!.token);
    const staying = await openSocket(other.baseUrl, witness!.token);
    await subscribe(removed, '1', `room:${room.id}`);
    await subscribe(staying, '1', `room:${room.id}`);
    await room.post(owner!, '@Ada count.');
    await removed.take({ type: 'turn.started' });
    const remove = await app.call('DELETE', `/v1/rooms/${room.id}/members/${guest!.id}`, { as: owner!.token });
    expectStatus(remove, 200);
    gate.resolve();
    await settledTurns(app, room.id, owner!);
    await room.post(owner!, 'Between us.');
    await staying.take((frame) => frame.data?.['content'] === 'Between us.');
    await removed.take({ op: 'ended', id: '1' });
    const last = removed.frames.filter(({ op }) => op === 'event').at(-1);
    expect(last).toMatchObject({ type: 'member.left', data: { user_id: guest!.id, state: 'removed' } });
    expect(await subscribe(removed, '2', `room:${room.id}`)).toMatchObject({ op: 'error', code: 'not_found' });
    for (const path of ['', '/messages', '/members', '/turns', '/events'])
      expect((await other.call('GET', `/v1/rooms/${room.id}${path}`, { as: guest!.token })).status).toBe(404);
    removed.close();
    staying.close();
  });

  test('shows who is there and who types, and not who does not want it', async () => {
    const room = await createRoom(app, { people: 2 });
    const [owner, guest, shy] = room.people;
    const hide = { as: shy!.token, body: { shows_presence: false } };
    expectStatus(await app.call('PUT', `/v1/rooms/${room.id}/members/${shy!.id}`, hide), 200);
    const watching = await openSocket(app.baseUrl, owner!.token);
    await subscribe(watching, '1', `room:${room.id}`);
    const hidden = await openSocket(other.baseUrl, shy!.token);
    await subscribe(hidden, '1', `room:${room.id}`);
    const active = await openSocket(other.baseUrl, guest!.token);
    await subscribe(active, '1', `room:${room.id}`);
    const about = (state: string) => (frame: Frame) =>
      frame.type === 'presence' && frame.data?.['user_id'] === guest!.id && frame.data?.['state'] === state;
    await watching.take(about('online'));
    active.send({ op: 'typing', id: '1' });
    expect(await watching.take({ type: 'typing' })).toMatchObject({ offset: null, data: { user_id: guest!.id } });
    active.send({ op: 'presence', id: '1', state: 'away' });
    await watching.take(about('away'));
    active.close();
    await watching.take(about('offline'));
    expect(watching.frames.filter(({ data }) => data?.['user_id'] === shy!.id && data?.['state'])).toEqual([]);
    hidden.close();
    watching.close();
  });
});

describe('the order of a room', () => {
  test('has no gap and no repetition under parallel messages on two instances', async () => {
    const room = await createRoom(app, { people: 1 });
    const [owner, guest] = room.people;
    const reading = await openSocket(other.baseUrl, guest!.token);
    await subscribe(reading, '1', `room:${room.id}`);
    const posts = Array.from({ length: 50 }, (_, i) =>
      postMessage(i % 2 ? app : other, room.id, i % 3 ? owner! : guest!, `${i}`),
    );
    const positions = (await Promise.all(posts)).map((answer) => expectStatus(answer, 201).body.message.position);
    expect(positions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    await reading.take({ offset: '50' });
    const heard = reading.frames.filter(({ type }) => type === 'message.created').map(({ offset }) => Number(offset));
    expect(heard).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    reading.close();
    expect(await messagesOf(app, room.id, owner!)).toHaveLength(50);
    const late = await addPerson(app, room.id, owner!);
    await eventually(async () => (await messagesOf(app, room.id, late)).length === 0);
  });
});

test('a reader that is far behind gets every large message, a few at a time', async () => {
  const room = await createRoom(app, { people: 1 });
  const [owner] = room.people;
  const count = 12;
  for (let n = 1; n <= count; n++) await room.post(owner!, `${n} ${'é'.repeat(7_900)}`);
  const { entries, hasMore } = await readRoomLog(app.app.newCtx({ kind: 'system' }), room.id, {
    position: 0,
    sequence: 0,
  });
  expect([entries.filter(({ type }) => type === 'message.created').length, hasMore]).toEqual([5, true]);
  const reader = await openSocket(other.baseUrl, owner!.token);
  await subscribe(reader, '1', `room:${room.id}`, '0');
  await reader.take(({ data }) => String(data?.['content']).startsWith(`${count} `));
  const numbers = reader.frames.flatMap(({ type, data }) =>
    type === 'message.created' ? [Number(String(data?.['content']).split(' ')[0])] : [],
  );
  expect(numbers).toEqual(Array.from({ length: count }, (_, n) => n + 1));
  reader.close();
});
