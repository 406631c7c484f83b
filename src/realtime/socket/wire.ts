import type { RawData, WebSocket } from 'ws';
import type { SharedFrame } from '../channel.ts';
import { createSendBudget, type SendBudget } from './send-budget.ts';

/** Close codes of a connection. They match graphql-transport-ws, so that both sockets use the same codes. */
export const closeCodes = {
  goingAway: 1001,
  tooLarge: 1009,
  badFrame: 4400,
  unauthenticated: 4401,
  timeout: 4408,
  tooMany: 4429,
  internal: 4500,
} as const;

/** One connection with bounded buffers. While sent data waits for the client, nothing is read from it. */
export interface Wire {
  send(data: string | Buffer): void;
  /** Sends a text in two parts, of which the second one is not copied. */
  sendShared(frame: SharedFrame): void;
  /** Counts the unsent data for an account from now on. */
  countFor(account: string): void;
  /** Settles when there is capacity for more frames; null if there is capacity now. */
  whenReady(): Promise<void> | null;
  close(code: number, reason: string): void;
  onMessage(listener: (data: Buffer, isBinary: boolean) => void): void;
  onClose(listener: () => void): void;
  /** Sends a heartbeat when one is due, and disconnects a client that is dead or does not read. */
  check(nowMs: number): void;
  terminate(): void;
}

export const heartbeatSeconds = 25;
/** Time in which a client has to send its credential. */
export const connectLimitMs = 5_000;
/** Maximum size of a piece of audio, in either direction. */
export const maxSoundBytes = 65_536;

const unsentBytes = 1_048_576;
/** Limit instead of `unsentBytes` while all connections of the account, or of the process, have too much unsent data. */
const tightUnsentBytes = 65_536;
const stallLimitMs = 30_000;
/** Time after the close frame before the socket is destroyed, for a client that starts to read again. */
const closeLimitMs = 10_000;
const silentLimitMs = 60_000;

export function createWire(socket: WebSocket, budget: SendBudget = createSendBudget()): Wire {
  let account = '';
  let countedBytes = 0;
  let seenAtMs = performance.now();
  let pingedAtMs = seenAtMs;
  let stalledAtMs: number | null = null;
  let closedAtMs: number | null = null;
  let capacity: PromiseWithResolvers<void> | null = null;

  const release = (): void => {
    stalledAtMs = null;
    capacity?.resolve();
    capacity = null;
  };
  const seen = (): void => void (seenAtMs = performance.now());

  function close(code: number, reason: string): void {
    if (closedAtMs !== null) return;
    closedAtMs = performance.now();
    socket.resume();
    socket.close(code, reason);
    release();
  }

  const limit = (): number => (budget.isFull(account) ? tightUnsentBytes : unsentBytes);
  const count = (bytes: number): void => {
    budget.add(account, bytes - countedBytes);
    countedBytes = bytes;
  };

  function sent(): void {
    if (socket.readyState === socket.OPEN) count(socket.bufferedAmount);
    if (stalledAtMs === null || socket.bufferedAmount >= limit() / 2) return;
    release();
    socket.resume();
  }

  socket.on('pong', seen);
  socket.on('ping', seen);
  // `close` follows.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    count(0);
    release();
  });

  const canSend = (): boolean => closedAtMs === null && socket.readyState === socket.OPEN;

  function noteUnsent(): void {
    count(socket.bufferedAmount);
    if (stalledAtMs !== null || socket.bufferedAmount < limit()) return;
    stalledAtMs = performance.now();
    // Backpressure: responses to further requests would only add to the unread data.
    socket.pause();
  }

  return {
    send(data) {
      if (!canSend()) return;
      socket.send(data, sent);
      noteUnsent();
    },
    sendShared([head, body]) {
      if (!canSend()) return;
      socket.send(head, { fin: false, binary: false });
      socket.send(body, { fin: true, binary: false }, sent);
      noteUnsent();
    },
    countFor(next) {
      const bytes = countedBytes;
      count(0);
      account = next;
      count(bytes);
    },
    whenReady() {
      if (stalledAtMs === null || closedAtMs !== null) return null;
      capacity ??= Promise.withResolvers();
      return capacity.promise;
    },
    close,
    onMessage: (listener) =>
      void socket.on('message', (data: RawData, isBinary: boolean) => {
        seen();
        if (closedAtMs === null) listener(data as Buffer, isBinary);
      }),
    onClose: (listener) => void socket.on('close', listener),
    check(nowMs) {
      if (closedAtMs !== null) {
        if (nowMs - closedAtMs > closeLimitMs) socket.terminate();
      } else if (stalledAtMs !== null) {
        if (nowMs - stalledAtMs > stallLimitMs) close(closeCodes.timeout, 'The client reads too slowly.');
      } else if (nowMs - seenAtMs > silentLimitMs) {
        socket.terminate();
      } else if (nowMs - Math.max(seenAtMs, pingedAtMs) > heartbeatSeconds * 1_000) {
        pingedAtMs = nowMs;
        socket.ping();
      }
    },
    terminate: () => socket.terminate(),
  };
}
