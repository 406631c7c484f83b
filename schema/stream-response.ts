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
  /** Notes that an event is about to be queued. */
  queued(): void;
  /** Notes that an event was written. */
  written(): void;
  /** Resolves pending waits, because the stream has ended. */
  end(): void;
}

export function createStreamFlow(): StreamFlow {
  let unwritten = 0;
  let waiting = Promise.withResolvers<void>();
  let ended = false;
  return {
    ready: async () => {
      if (unwritten === 0 || ended) return;
      await waiting.promise;
    },
    queued: () => {
      unwritten++;
    },
    written: () => {
      unwritten--;
      if (unwritten > 0) return;
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
    const hasCapacity = raw.write(frame);
    if (!hasCapacity && !(await isRead(raw, once(raw, 'drain'), stallLimitMs))) break;
    if (isEvent(frame)) flow.written();
  }
  raw.off('close', leave);
  flow.end();
  if (!raw.writableEnded) await new Promise<void>((resolve) => void raw.end(resolve));
}

/** Returns whether a frame is an event of the operation, as opposed to a keep-alive comment or the completion. */
const isEvent = (frame: string): boolean => frame.startsWith('event: next');
