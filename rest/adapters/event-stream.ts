import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { MessageStreamPayload } from '../../schema/messages.ts';
import { AppError, type ErrorCode, errorTable } from '../../src/core/errors.ts';
import { toWire } from '../../src/core/wire.ts';
import { loggedAnswerTo } from '../errors.ts';
import type { Adapter } from '../register.ts';

/** Headers wait so long for the first delta, so that a failure before it is an HTTP error. */
const firstEventWaitMs = 15_000;
const heartbeatMs = 15_000;
/** A client that takes nothing for so long is dropped; its generation goes on. */
const stalledMs = 60_000;

/** A subscription to a reply as Server-Sent Events. */
export const eventStreamAdapter =
  (schema: GraphQLSchema): Adapter =>
  (scope, { method, url, field, onRequest, parse, context }) => {
    const subscribe = schema.getSubscriptionType()?.getFields()[field]?.subscribe;
    if (!subscribe) throw new Error(`the schema has no subscription ${field}`);
    scope.route({
      method,
      url,
      onRequest,
      handler: async (request, reply) => {
        const source = await subscribe(undefined, parse(request), await context(request, reply), {} as never);
        await sendEvents(request, reply, source as Events);
        return reply;
      },
    });
  };

type Events = AsyncIterator<MessageStreamPayload, void, void>;

async function sendEvents(request: FastifyRequest, reply: FastifyReply, events: Events): Promise<void> {
  const first = events.next();
  const value = (await atMost(first, firstEventWaitMs))?.value as MessageStreamPayload | undefined;
  if (value && isError(value)) throw new AppError(httpCode(value.code), { message: value.message });

  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...reply.getHeaders(), ...streamHeaders } as Record<string, string | number>);
  raw.flushHeaders();
  const heartbeat = setInterval(() => raw.write(':\n\n'), heartbeatMs);
  try {
    for (let next = await first; !next.done; next = await events.next()) {
      if (raw.destroyed) break;
      const left = write(raw, frame(next.value), 'content' in next.value);
      if (left && !(await taken(raw, left))) break;
    }
  } catch (error) {
    // The reply goes on without this stream: with no id of its own, the last one stays the place to resume from.
    const { code, message } = loggedAnswerTo(error, request).body.error;
    if (!raw.destroyed) raw.write(sse('error', { code, message }));
  } finally {
    clearInterval(heartbeat);
    raw.end();
    void events.return?.();
  }
}

/** The promise's value, or null when it takes longer. */
async function atMost<Value>(promise: Promise<Value>, limitMs: number): Promise<Value | null> {
  const limit = Promise.withResolvers<null>();
  const timer = setTimeout(() => limit.resolve(null), limitMs);
  try {
    return await Promise.race([promise, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What to wait for after a frame: nothing after a piece of the reply for which there was room. */
function write(raw: ServerResponse, text: string, isPiece: boolean): Promise<unknown> | null {
  if (isPiece) return raw.write(text) ? null : once(raw, 'drain');
  // Asking for more after the end says that it was taken, so that is only done once it has left.
  return new Promise((resolve) => void raw.write(text, resolve));
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** Waits until the client has taken what was written; false when it is gone, or has stalled and was dropped. */
async function taken(raw: ServerResponse, left: Promise<unknown>): Promise<boolean> {
  const limit = new AbortController();
  const timer = setTimeout(() => raw.destroy(), stalledMs);
  try {
    await Promise.race([left, once(raw, 'close', limit)]);
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
  return !raw.destroyed;
}

function frame(event: MessageStreamPayload): string {
  if ('content' in event) return sse('delta', { content: event.content }, `${event.generationId}:${event.end}`);
  if (isError(event)) return sse('error', { code: event.code, message: event.message }, `${event.generationId}:error`);
  const data = {
    message_id: event.messageId,
    conversation_id: event.conversationId,
    user_message_id: event.userMessageId,
    generation_id: event.generationId,
    ...(event.stopped ? { stopped: true } : {}),
    ...(event.usage
      ? { usage: { input_tokens: event.usage.inputTokens, output_tokens: event.usage.outputTokens } }
      : {}),
    ...(event.citations ? { citations: toWire(event.citations) } : {}),
  };
  return sse('done', data, `${event.generationId}:done`);
}

// JSON has no raw line breaks, so a reply can't forge a frame.
const sse = (name: string, data: object, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

const isError = (event: MessageStreamPayload): event is Extract<MessageStreamPayload, { code: string }> =>
  'code' in event;

const httpCode = (code: string): ErrorCode =>
  code in errorTable ? (code as ErrorCode) : code === 'cancelled' ? 'not_found' : 'internal_error';
