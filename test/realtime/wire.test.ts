import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { parseFrame } from '../../src/realtime/socket/client-frames.ts';
import { createFrameRate } from '../../src/realtime/socket/frame-rate.ts';
import { createSendBudget } from '../../src/realtime/socket/send-budget.ts';
import { createWire } from '../../src/realtime/socket/wire.ts';

const mb = 1_048_576;

/** A WebSocket whose client reads only when the test says so. */
function fakeSocket() {
  const sent: (() => void)[] = [];
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: vi.fn((data: string, done: () => void) => {
      socket.bufferedAmount += data.length;
      sent.push(done);
    }),
    pause: vi.fn(),
    resume: vi.fn(),
    ping: vi.fn(),
    close: vi.fn(),
    terminate: vi.fn(),
  });
  const read = () => {
    socket.bufferedAmount = 0;
    for (const done of sent.splice(0)) done();
  };
  return { socket, read, wire: createWire(socket as unknown as WebSocket) };
}

test('a socket with a megabyte of unsent data is paused until its client reads', async () => {
  const { socket, read, wire } = fakeSocket();
  wire.send('x'.repeat(1_000));
  expect(wire.whenReady()).toBeNull();
  wire.send('x'.repeat(mb));
  const ready = wire.whenReady();
  expect(ready).not.toBeNull();
  expect(socket.pause).toHaveBeenCalledOnce();
  read();
  await ready;
  expect(socket.resume).toHaveBeenCalledOnce();
  expect(wire.whenReady()).toBeNull();
});

test('a reader that stalls for 30 seconds gets 4408, and is disconnected some seconds later', () => {
  const { socket, wire } = fakeSocket();
  wire.send('x'.repeat(mb));
  const nowMs = performance.now();
  wire.check(nowMs + 29_000);
  expect(socket.close).not.toHaveBeenCalled();
  wire.check(nowMs + 31_000);
  expect(socket.close).toHaveBeenCalledWith(4408, expect.any(String));
  wire.check(performance.now() + 5_000);
  expect(socket.terminate).not.toHaveBeenCalled();
  wire.check(performance.now() + 11_000);
  expect(socket.terminate).toHaveBeenCalledOnce();
});

test('a silent client gets a heartbeat each 25 seconds, and one that is dead is disconnected within a minute', () => {
  const { socket, wire } = fakeSocket();
  const nowMs = performance.now();
  wire.check(nowMs + 24_000);
  expect(socket.ping).not.toHaveBeenCalled();
  wire.check(nowMs + 26_000);
  wire.check(nowMs + 27_000);
  expect(socket.ping).toHaveBeenCalledOnce();
  wire.check(nowMs + 61_000);
  expect(socket.terminate).toHaveBeenCalledOnce();
});

test('20 frames are accepted per second', () => {
  let nowMs = 0;
  const rateOf = createFrameRate(undefined, () => nowMs);
  const take = (count: number) => Array.from({ length: count }, rateOf).at(-1);
  expect(take(20)).toBe('within');
  expect(take(1)).toBe('over');
  nowMs = 1_000;
  expect(take(20)).toBe('within');
  expect(take(181)).toBe('flood');
});

test.each([
  [{ op: 'refresh' }, 'token: is required'],
  [{ op: 'refresh', token: 5 }, 'token: must be a string'],
  [{ op: 'subscribe', id: '', channel: 'account' }, 'id: must not be empty'],
  [{ op: 'subscribe', id: 'x'.repeat(65), channel: 'account' }, 'id: must have at most 64 characters'],
  [{ op: 'presence', id: '1', state: 'asleep' }, 'state: must be one of active, away'],
  [{ op: 'dance' }, 'op: there is no such operation'],
])('a fault of the frame %j is described as in REST', (frame, problem) => {
  expect(parseFrame(JSON.stringify(frame))).toMatchObject({ problem });
});

test('connections share a budget of unsent data, by account and by process, and each may always have a little', async () => {
  const budget = createSendBudget();
  const connect = (account: string) => {
    const { socket, read } = fakeSocket();
    const wire = createWire(socket as unknown as WebSocket, budget);
    wire.countFor(account);
    return { socket, read, wire };
  };
  const send = (to: ReturnType<typeof connect>, bytes: number) => to.wire.send('x'.repeat(bytes));
  const many = Array.from({ length: 10 }, () => connect('one'));
  for (const one of many) send(one, 900_000);
  const late = connect('one');
  send(late, 60_000);
  expect(late.wire.whenReady()).toBeNull();
  send(late, 10_000);
  const ready = late.wire.whenReady();
  expect(ready).not.toBeNull();
  const other = connect('other');
  send(other, 900_000);
  expect(other.wire.whenReady()).toBeNull();
  for (const one of many) one.read();
  late.read();
  await ready;
  send(late, 900_000);
  expect(late.wire.whenReady()).toBeNull();
  late.socket.emit('close');
  other.socket.emit('close');
  expect(budget.isFull('one')).toBe(false);
  const crowd = Array.from({ length: 180 }, (_, n) => connect(`account ${n}`));
  for (const one of crowd) send(one, 800_000);
  const last = connect('last');
  send(last, 70_000);
  expect(last.wire.whenReady()).not.toBeNull();
});
