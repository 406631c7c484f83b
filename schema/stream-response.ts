import { once } from 'node:events';
import type { FastifyReply } from 'fastify';
import type { Response } from 'graphql-sse';
import { isRead } from '../src/core/http/backpressure.ts';

/**
 * Couples the events of one stream to the pace of its reader. graphql-sse queues events without bound, but waits for
 * `onNext` before it queues one and takes the next from the operation: waiting there leaves at most one event queued.
 */
export interface StreamFlow {
  /** Settles when every earlier event was written to a socket that had capacity, or the client is gone. */
  ready(): Promise<void>;
  /** Counts an event that is about to be queued. */
  queued(): void;
  /** Counts an event that was written. */
  written(): void;
  /** Releases pending waits, because the stream has ended. */
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

/** Sends a response of graphql-sse. A client that reads nothing for `stallLimitMs` is disconnected. */
export async function sendStreamResponse(
  reply: FastifyReply,
  [body, init]: Response,
  flow: StreamFlow,
  stallLimitMs?: number,
): Promise<void> {
  const { raw } = reply;
  // Proxies such as nginx would buffer events otherwise.
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

/** Whether a frame is an event of the operation, not a keep-alive comment or the completion. */
const isEvent = (frame: string): boolean => frame.startsWith('event: next');
