import { once } from 'node:events';
import type { FastifyReply } from 'fastify';
import type { Response } from 'graphql-sse';
import { isRead } from '../src/core/http/backpressure.ts';

/**
 * Backpressure for the events of a stream. graphql-sse queues events without a limit, but awaits `onNext` before it
 * queues an event and requests the next one. Waiting there limits the queue to one event.
 */
export interface StreamFlow {
  /** Resolves when all earlier events are written and the socket has capacity, or the stream has ended. */
  ready(): Promise<void>;
  /** Notes that a result is about to be queued. */
  queued(result: object): void;
  /** Returns the id of the next queued result to be written; null if its event has none. */
  nextId(): string | null;
  /** Notes that an event was written. */
  written(): void;
  /** Whether the last result is a failure after which the client should reconnect. */
  readonly isTemporary: boolean;
  /** Resolves pending waits, because the stream has ended. */
  end(): void;
}

const resultIds = new WeakMap<object, string>();

/** Gives a result the id with which a reader resumes after it. */
export function withEventId<Result extends object>(result: Result, id: string | null): Result {
  if (id !== null) resultIds.set(result, id);
  return result;
}

const temporary = new WeakSet<object>();

/** Marks a result as a failure after which the client should reconnect. */
export function asTemporary<Result extends object>(result: Result): Result {
  temporary.add(result);
  return result;
}

/** Id of the end of a stream. A client that reconnects with it gets 204, so it stops reconnecting. */
export const endId = 'end';

export function createStreamFlow(): StreamFlow {
  const unwritten: (string | null)[] = [];
  let waiting = Promise.withResolvers<void>();
  let ended = false;
  let isTemporary = false;
  return {
    ready: async () => {
      if (unwritten.length === 0 || ended) return;
      await waiting.promise;
    },
    get isTemporary() {
      return isTemporary;
    },
    queued: (result) => {
      isTemporary = temporary.has(result);
      unwritten.push(resultIds.get(result) ?? null);
    },
    nextId: () => unwritten[0] ?? null,
    written: () => {
      unwritten.shift();
      if (unwritten.length > 0) return;
      waiting.resolve();
      waiting = Promise.withResolvers();
    },
    end: () => {
      ended = true;
      waiting.resolve();
    },
  };
}

/** Sends a response of graphql-sse. Disconnects a client that reads nothing for `stallLimitMs`. */
export async function sendStreamResponse(
  reply: FastifyReply,
  [body, init]: Response,
  flow: StreamFlow,
  stallLimitMs?: number,
): Promise<void> {
  const { raw } = reply;
  // Disables the buffering of events in proxies such as nginx.
  const headers = { ...reply.getHeaders(), ...init.headers, 'x-accel-buffering': 'no' } as Record<
    string,
    string | number
  >;
  raw.writeHead(init.status, init.statusText, headers);
  if (body === null || typeof body === 'string') return void raw.end(body);
  const leave = () => {
    flow.end();
    void body.return();
  };
  raw.once('close', leave);
  for await (const frame of body) {
    if (raw.destroyed || raw.writableEnded) break;
    const hasCapacity = raw.write(withId(frame, idOf(frame, flow)));
    if (!hasCapacity && !(await isRead(raw, once(raw, 'drain'), stallLimitMs))) break;
    if (isEvent(frame)) flow.written();
  }
  raw.off('close', leave);
  flow.end();
  // The end of a response that was destroyed is never confirmed.
  if (!raw.writableEnded && !raw.destroyed)
    await isRead(raw, new Promise<void>((resolve) => void raw.end(resolve)), stallLimitMs);
}

/** Returns whether a frame is an event of the operation, as opposed to a keep-alive comment or the completion. */
const isEvent = (frame: string): boolean => frame.startsWith('event: next');

function idOf(frame: string, flow: StreamFlow): string | null {
  if (isEvent(frame)) return flow.nextId();
  return frame.startsWith('event: complete') && !flow.isTemporary ? endId : null;
}

const withId = (frame: string, id: string | null): string => (id === null ? frame : `id: ${id}\n${frame}`);
