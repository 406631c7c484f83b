import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectLimitMs } from '../../src/realtime/socket/wire.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { freeze } from '../support/freeze.ts';
import { eventually } from '../support/eventually.ts';
import { accountEventsKind } from '../../src/core/outbox.ts';
import { keptBytesOf } from '../../src/core/feeds/feed-memory.ts';
import { openSocket, subscribe } from '../support/socket.ts';
import { limitsTime } from '../support/wall-clock.ts';

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

describe('a socket', () => {
  test('without a connect frame is closed after five seconds with 4408', async () => {
    const socket = await openSocket(app.baseUrl);
    expect(await socket.closed).toBe(4408);
  });

  test('whose connect frame arrives while the process is frozen is not closed', async () => {
    const { token } = await app.signUp();
    const socket = await openSocket(app.baseUrl);
    socket.send({ op: 'connect', token });
    freeze(connectLimitMs + 1_000);
    await socket.take({ op: 'ready' });
    socket.close();
  });

  test('with a bad credential, or another frame first, is closed with 4401', async () => {
    const bad = await openSocket(app.baseUrl);
    bad.send({ op: 'connect', token: 'nonsense' });
    expect(await bad.closed).toBe(4401);
    const early = await openSocket(app.baseUrl);
    early.send({ op: 'subscribe', id: '1', channel: 'account' });
    expect(await early.closed).toBe(4401);
  });

  test('refuses a second connect frame, and counts once', async () => {
    const { token, id } = await app.signUp();
    const socket = await openSocket(app.baseUrl);
    for (let n = 0; n < 4; n++) socket.send({ op: 'connect', token });
    for (let n = 0; n < 3; n++) expect(await socket.take({ op: 'error' })).toMatchObject({ code: 'invalid_request' });
    await socket.take({ op: 'ready' });
    const held = async () => (await app.db.query('select from account_sockets where user_id = $1', [id])).rowCount;
    expect(await held()).toBe(1);
    socket.close();
    await eventually(async () => (await held()) === 0);
  });

  test('is closed with 4401 within three seconds of a logout on another instance', limitsTime, async () => {
    const { token } = await app.signUp();
    const socket = await openSocket(app.baseUrl, token);
    await subscribe(socket, '1', 'account');
    const startedAt = performance.now();
    expectStatus(await other.call('POST', '/v1/auth/logout', { as: token }), 200);
    expect(await socket.closed).toBe(4401);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  test('accepts another credential of the account without a gap, and keeps the old one when it is refused', async () => {
    const { token } = await app.signUp();
    const stranger = await app.signUp();
    const socket = await openSocket(app.baseUrl, token);
    await subscribe(socket, '1', 'account');
    socket.send({ op: 'refresh', token: stranger.token });
    expect(await socket.take({ op: 'error' })).toMatchObject({ code: 'unauthenticated' });
    const body = { name: 'k', scopes: ['webhooks:read'] };
    const { key } = expectStatus(await app.call('POST', '/v1/auth/api-keys', { as: token, body }), 201).body;
    socket.send({ op: 'refresh', token: key });
    await socket.take({ op: 'refreshed' });
    const agent = await app.createAgent(token);
    expect(await socket.take({ op: 'event' })).toMatchObject({ type: 'agent.created', data: { id: agent.id } });
    expectStatus(await app.call('POST', '/v1/auth/logout', { as: token }), 200);
    socket.send({ op: 'ping' });
    await socket.take({ op: 'pong' });
    socket.close();
  });

  test('ends subscriptions whose scope a new credential lacks', async () => {
    const { token } = await app.signUp();
    const socket = await openSocket(app.baseUrl, token);
    await subscribe(socket, '1', 'account');
    const body = { name: 'k', scopes: ['agents:read'] };
    const { key } = expectStatus(await app.call('POST', '/v1/auth/api-keys', { as: token, body }), 201).body;
    socket.send({ op: 'refresh', token: key });
    expect(await socket.take({ op: 'ended' })).toMatchObject({ id: '1', code: 'insufficient_scope' });
    socket.close();
  });

  test('reports faults of frames, and is closed for what is not JSON or too large', async () => {
    const { token } = await app.signUp();
    const socket = await openSocket(app.baseUrl, token);
    for (const frame of [{ op: 'dance' }, {}, { op: 'subscribe', id: '1' }, { op: 'subscribe', channel: 'account' }]) {
      socket.send(frame);
      expect(await socket.take({ op: 'error' })).toMatchObject({ code: 'invalid_request' });
    }
    await subscribe(socket, '1', 'account');
    expect(await subscribe(socket, '1', 'account')).toMatchObject({ op: 'error', code: 'conflict' });
    socket.send({ op: 'unsubscribe', id: '1' });
    await socket.take({ op: 'ended', id: '1' });
    socket.socket.send('{');
    expect(await socket.closed).toBe(4400);
    const large = await openSocket(app.baseUrl, token);
    large.send({ op: 'ping', filler: 'x'.repeat(20_000) });
    expect(await large.closed).toBe(1009);
    const huge = await openSocket(app.baseUrl, token);
    huge.socket.send(Buffer.alloc(1_000_000));
    expect(await huge.closed).toBe(1009);
  });

  test('refuses the 21st frame in a second and stays open; a flood is closed with 4400', async () => {
    const { token } = await app.signUp();
    const socket = await openSocket(app.baseUrl, token);
    for (let n = 0; n < 30; n++) socket.send({ op: 'ping' });
    expect(await socket.take({ op: 'error' })).toMatchObject({ code: 'rate_limited' });
    expect(socket.socket.readyState).toBe(socket.socket.OPEN);
    for (let n = 0; n < 1_000; n++) socket.send({ op: 'ping' });
    expect(await socket.closed).toBe(4400);
  });

  test('refuses the 51st subscription', async () => {
    const { token } = await app.signUp();
    const socket = await openSocket(app.baseUrl, token);
    for (let n = 0; n < 50; n++) {
      await eventually(async () => (await subscribe(socket, `${n}`, 'account')).code !== 'rate_limited');
    }
    await eventually(async () => {
      const { code, message } = await subscribe(socket, 'one more', 'account');
      expect(code).toBe('rate_limited');
      return message?.includes('50 subscriptions');
    });
    socket.close();
  });

  test('beyond the limit of the plan, on all instances together, is closed with 4429, and a closed one counts no more', async () => {
    const { token, id } = await app.signUp();
    // A dead instance still counts this many connections.
    await app.db.query(
      `insert into instances values ('dead', now() - interval '1 hour', now() - interval '11 seconds')`,
    );
    await app.db.query(`insert into account_sockets values ($1, 'dead', 5)`, [id]);
    const open = await Promise.all([app, other, app, other, app].map(({ baseUrl }) => openSocket(baseUrl, token)));
    for (const { baseUrl } of [app, other]) {
      const sixth = await openSocket(baseUrl);
      sixth.send({ op: 'connect', token });
      expect(await sixth.closed).toBe(4429);
    }
    const graphql = new WebSocket(`${other.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    graphql.on('open', () => graphql.send(JSON.stringify({ type: 'connection_init', payload: { token } })));
    expect(await new Promise((resolve) => graphql.once('close', resolve))).toBe(4429);
    open[0]!.close();
    await open[0]!.closed;
    await eventually(() =>
      openSocket(other.baseUrl, token).then(
        (socket) => open.push(socket),
        () => false,
      ),
    );
    for (const socket of open) socket.close();
    await eventually(async () => {
      const sql = 'select from account_sockets where user_id = $1';
      return (await app.db.query(sql, [id])).rowCount === 1;
    });
  });

  test('beyond 20 of an address without a credential is refused', async () => {
    const open = await Promise.all(Array.from({ length: 20 }, () => openSocket(app.baseUrl)));
    await expect(openSocket(app.baseUrl)).rejects.toThrow('429');
    for (const socket of open) socket.close();
    await eventually(() =>
      openSocket(app.baseUrl).then(
        (socket) => (socket.close(), true),
        () => false,
      ),
    );
  });

  test('at another path is refused with 404', async () => {
    await expect(openSocket(app.baseUrl, undefined, '/v1/nothing')).rejects.toThrow('404');
  });
});

test('a stalled reader gets every event in order once it reads again, and delays no other', async () => {
  const { token } = await app.signUp();
  await app.createAgent(token);
  const { rows } = await app.db.query('select id, account_id from outbox_events order by seq desc limit 1');
  const count = 1_000;
  await app.db.query(
    `insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
     select 'evt_' || gen_random_uuid(), $1, 'agent.updated', json_build_object('n', n, 'text', repeat('x', 10000)), now(), now()
     from generate_series(1, $2) n`,
    [rows[0].account_id, count],
  );
  const [stalled, reading] = [await openSocket(app.baseUrl, token), await openSocket(app.baseUrl, token)];
  stalled.socket.pause();
  for (const socket of [stalled, reading]) {
    socket.send({ op: 'subscribe', id: '1', channel: 'account', after: rows[0].id });
  }
  const numbersOf = ({ frames }: typeof stalled) =>
    frames.filter(({ op }) => op === 'event').map(({ data }) => data?.n);
  await reading.take(({ data }) => data?.n === count);
  stalled.socket.resume();
  await stalled.take(({ data }) => data?.n === count);
  expect(numbersOf(stalled)).toEqual(Array.from({ length: count }, (_, n) => n + 1));
  expect(numbersOf(reading)).toEqual(numbersOf(stalled));
  stalled.close();
  reading.close();
});

test('stalled readers of large events hold little memory, and get every event once they read', async () => {
  const { token, id } = await app.signUp();
  await app.createAgent(token);
  const [count, subscriptions] = [100, 5];
  const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(app.baseUrl, token)));
  for (const socket of sockets) {
    for (let n = 0; n < subscriptions; n++) {
      socket.send({ op: 'subscribe', id: String(n), channel: 'account' });
      await socket.take({ op: 'subscribed', id: String(n) });
    }
    socket.socket.pause();
  }
  for (let n = 1; n <= count; n++) {
    await app.db.query(
      `insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
       values ('evt_' || gen_random_uuid(), $1, 'agent.updated', json_build_object('n', $2::int, 'text', repeat('é', 60000)), now(), now())`,
      [id, n],
    );
    if (n % 20 === 0) app.app.newCtx({ kind: 'system' }).ports.tasks.wake(accountEventsKind(id));
  }
  await eventually(() => keptBytesOf(id) > 0);
  expect(keptBytesOf(id)).toBeLessThanOrEqual(1_048_576);
  const [first] = sockets;
  first!.socket.resume();
  await first!.take(({ id: of, data }) => of === '0' && data?.n === count);
  const numbers = first!.frames.filter(({ op, id: of }) => op === 'event' && of === '0').map(({ data }) => data?.n);
  expect(numbers).toEqual(Array.from({ length: count }, (_, n) => n + 1));
  for (const socket of sockets) socket.socket.terminate();
});

test('a draining service asks its clients to reconnect, and they get missed events from another instance', async () => {
  const { token } = await app.signUp();
  const third = await startTestApp({ env: secrets, databaseUrl: app.databaseUrl });
  const socket = await openSocket(third.baseUrl, token);
  const { offset } = await subscribe(socket, '1', 'account');
  const closing = third.close();
  expect(await socket.take({ op: 'going_away' })).toMatchObject({ reconnect_after_ms: expect.any(Number) });
  expect(await socket.closed).toBe(1001);
  const agent = await app.createAgent(token);
  const next = await openSocket(app.baseUrl, token);
  expect(await subscribe(next, '1', 'account', offset)).toMatchObject({ resumed: 'caught_up' });
  expect(await next.take({ op: 'event' })).toMatchObject({ data: { id: agent.id } });
  next.close();
  await closing;
});

test('a handshake without a key is refused', async () => {
  const port = Number(new URL(app.baseUrl).port);
  const raw = connect(port, '127.0.0.1');
  raw.write('GET /v1/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  const answer = await new Promise<string>((resolve) => raw.once('data', (data) => resolve(data.toString())));
  expect(answer).toMatch(/^HTTP\/1.1 400/);
  raw.destroy();
});
