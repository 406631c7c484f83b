import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRead } from '../../src/core/http/backpressure.ts';
import type { AppError } from '../../src/core/errors.ts';
import { loggedErrorResponse } from '../errors.ts';

const heartbeatMs = 15_000;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** Checks at intervals that access is still granted; calls `onLost` once when not. Returns a function that stops it. */
export type Watch = (onLost: (error: AppError) => void) => () => void;

export interface EventStream<Event> {
  events: AsyncIterator<Event, void, void>;
  frame: (event: Event) => string;
  /** Whether an event is the last one, which must be sent before the next one is requested. */
  isEnd?: (event: Event) => boolean;
  watch: Watch;
  /** The first event, if it was requested before. */
  first?: Promise<IteratorResult<Event, void>>;
}

/** A frame. JSON escapes line breaks, so a reply cannot forge one. */
export const sse = (name: string, data: object, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Returns the id of the last event that the client has received of this stream; null for a first connection. */
export function lastEventIdOf({ headers }: FastifyRequest): string | null {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Responds to a client that reconnects to a stream of which nothing is left: with 204 it stops reconnecting. */
export const sendNothingLeft = (reply: FastifyReply): FastifyReply => reply.code(204).send();

/**
 * Sends events as Server-Sent Events, at the pace of the client, until they end, the client leaves or stalls, or access is
 * lost. An error becomes the event `error`, without an id, so that the client resumes after the last event.
 */
export async function sendEventStream<Event>(
  request: FastifyRequest,
  reply: FastifyReply,
  { events, frame, isEnd, watch, first = events.next() }: EventStream<Event>,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...reply.getHeaders(), ...streamHeaders } as Record<string, string | number>);
  raw.flushHeaders();
  const heartbeat = setInterval(() => raw.write(':\n\n'), heartbeatMs);
  const stopWatching = watch(({ code, message }) => raw.end(sse('error', { code, message })));

  /** Writes a frame. Returns what to wait for, or null when it fitted into the socket's buffer. */
  const write = (event: Event): Promise<unknown> | null => {
    const text = frame(event);
    if (isEnd?.(event)) return new Promise((resolve) => void raw.write(text, resolve));
    return raw.write(text) ? null : once(raw, 'drain');
  };

  try {
    for (let next = await first; !next.done; next = await events.next()) {
      if (raw.destroyed || raw.writableEnded) break;
      const left = write(next.value);
      if (left && !(await isRead(raw, left))) break;
    }
  } catch (error) {
    const { code, message } = loggedErrorResponse(error, request).body.error;
    if (!raw.destroyed && !raw.writableEnded) raw.write(sse('error', { code, message }));
  } finally {
    clearInterval(heartbeat);
    stopWatching();
    raw.end();
    void events.return?.();
  }
}
