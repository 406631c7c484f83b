import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MessageStreamPayload } from '../../schema/messages.ts';
import { watchCredential } from '../../src/api-keys/watch-credential.ts';
import { isRead } from '../../src/core/http/backpressure.ts';
import { AppError, type ErrorCode, errorTable } from '../../src/core/errors.ts';
import { withTimeout } from '../../src/core/waiting/with-timeout.ts';
import { toWire } from '../../src/core/wire.ts';
import { loggedErrorResponse } from '../errors.ts';
import type { Adapter } from '../routes/route.ts';

/** How long headers wait for the first delta, so that a failure before it is an HTTP error. */
const firstEventWaitMs = 15_000;
const heartbeatMs = 15_000;

/** A subscription to a reply as Server-Sent Events. */
export const eventStreamAdapter: Adapter = {
  produces: [{ name: 'text/event-stream' }],
  handle: async (request, reply, { parse, context, invoke }) => {
    const ctx = context(request, reply);
    const events = (await invoke(parse(request), ctx)) as Events;
    await sendEvents(request, reply, events, (onLost) => watchCredential(ctx, onLost));
    return reply;
  },
};

type Events = AsyncIterator<MessageStreamPayload, void, void>;

/** Checks at intervals that access is still granted; calls `onLost` once when not. Returns a function that stops it. */
type Watch = (onLost: (error: AppError) => void) => () => void;

/**
 * Sends a reply as Server-Sent Events. A failure before its first piece is an HTTP error.
 * @throws AppError
 */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  events: Events,
  watch: Watch,
): Promise<void> {
  const first = events.next();
  const value = (await withTimeout(first, firstEventWaitMs, () => null))?.value as MessageStreamPayload | undefined;
  if (value && isError(value)) {
    // How a stored attempt ended is data to a request that replays it; only a send fails because of it.
    if (!value.isInterrupted) throw new AppError(httpCode(value.code), { message: value.message });
    if (request.method !== 'GET') throw new AppError('unavailable', { message: value.message });
  }

  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...reply.getHeaders(), ...streamHeaders } as Record<string, string | number>);
  raw.flushHeaders();
  const heartbeat = setInterval(() => raw.write(':\n\n'), heartbeatMs);
  const stopWatching = watch(({ code, message }) => raw.end(sse('error', { code, message })));
  try {
    for (let next = await first; !next.done; next = await events.next()) {
      if (raw.destroyed || raw.writableEnded) break;
      const left = write(raw, frame(next.value), 'content' in next.value);
      // The generation of a client that is disconnected continues.
      if (left && !(await isRead(raw, left))) break;
    }
  } catch (error) {
    // The reply continues without this stream. The event has no id, so the client resumes from the last delta.
    const { code, message } = loggedErrorResponse(error, request).body.error;
    if (!raw.destroyed && !raw.writableEnded) raw.write(sse('error', { code, message }));
  } finally {
    clearInterval(heartbeat);
    stopWatching();
    raw.end();
    void events.return?.();
  }
}

/** Writes a frame. Returns what to wait for, or null when a delta fitted into the socket's buffer. */
function write(raw: ServerResponse, text: string, isPiece: boolean): Promise<unknown> | null {
  if (isPiece) return raw.write(text) ? null : once(raw, 'drain');
  // The next `next()` confirms the delivery of the end, so it must not be called before the end was sent.
  return new Promise((resolve) => void raw.write(text, resolve));
}

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

function frame(event: MessageStreamPayload): string {
  if ('content' in event) return sse('delta', { content: event.content }, `${event.generationId}:${event.end}`);
  if (isError(event)) return sse('error', { code: event.code, message: event.message }, `${event.generationId}:error`);
  const data = {
    message_id: event.messageId,
    conversation_id: event.conversationId,
    user_message_id: event.userMessageId,
    generation_id: event.generationId,
    ...(event.stopped ? { stopped: true } : {}),
    ...(event.truncated ? { truncated: true } : {}),
    ...(event.usage
      ? { usage: { input_tokens: event.usage.inputTokens, output_tokens: event.usage.outputTokens } }
      : {}),
    ...(event.citations ? { citations: toWire(event.citations) } : {}),
  };
  return sse('done', data, `${event.generationId}:done`);
}

/** A frame. JSON escapes line breaks, so a reply cannot forge one. */
export const sse = (name: string, data: object, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

const isError = (event: MessageStreamPayload): event is Extract<MessageStreamPayload, { code: string }> =>
  'code' in event;

function httpCode(code: string): ErrorCode {
  if (code in errorTable) return code as ErrorCode;
  return code === 'cancelled' ? 'not_found' : 'internal_error';
}
