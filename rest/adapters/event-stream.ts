import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MessageStreamPayload } from '../../schema/messages.ts';
import { watchCredential } from '../../src/api-keys/watch-credential.ts';
import { replyEventId } from '../../src/conversations/generations/resume-reply.ts';
import { openStream } from '../../src/conversations/open-streams.ts';
import { AppError, type ErrorCode, errorTable } from '../../src/core/errors.ts';
import { withTimeout } from '../../src/core/waiting/with-timeout.ts';
import { toWire } from '../../src/core/wire.ts';
import type { ChannelEvent } from '../../src/realtime/channel.ts';
import type { Adapter, AdapterRoute } from '../routes/route.ts';
import { lastEventIdOf, sendEventStream, sendNothingLeft, sse, type Watch } from './sse.ts';

/** How long headers wait for the first delta, so that a failure before it is an HTTP error. */
const firstEventWaitMs = 15_000;

type Events<Event> = AsyncIterator<Event, void, void>;
type Send<Event> = (
  request: FastifyRequest,
  reply: FastifyReply,
  events: Events<Event>,
  watch: Watch,
) => Promise<unknown>;

/**
 * An adapter of a subscription. The stream counts as one of the account's before the subscription starts. A client that
 * reconnects to something that is gone gets 204.
 */
const streamAdapter = <Event>(send: Send<Event>): Adapter => ({
  produces: [{ name: 'text/event-stream' }],
  handle: async (request, reply, { parse, context, invoke }: AdapterRoute) => {
    const ctx = context(request, reply);
    const close = openStream(ctx);
    try {
      const events = (await invoke(parse(request), ctx)) as Events<Event>;
      await send(request, reply, events, (onLost) => watchCredential(ctx, onLost));
      return await reply;
    } catch (error) {
      const isGone = error instanceof AppError && error.code === 'not_found';
      if (!isGone || lastEventIdOf(request) === null) throw error;
      return await sendNothingLeft(reply);
    } finally {
      close();
    }
  },
});

/** A subscription to a reply as Server-Sent Events. */
export const eventStreamAdapter = streamAdapter(sendReply);

/** The events of a channel as Server-Sent Events, with their offsets as ids. A failure to open it is an HTTP error. */
export const channelStreamAdapter = streamAdapter<ChannelEvent>((request, reply, events, watch) =>
  sendEventStream(request, reply, {
    events,
    frame: ({ type, data, offset }) => sse(type, data, offset ?? undefined),
    watch,
  }),
);

/**
 * Sends a reply as Server-Sent Events. A failure before its first piece is an HTTP error. A reply of which nothing is left
 * for a client that reconnects is 204.
 * @throws AppError
 */
export async function sendReply(
  request: FastifyRequest,
  reply: FastifyReply,
  events: Events<MessageStreamPayload>,
  watch: Watch,
): Promise<unknown> {
  const first = events.next();
  const next = await withTimeout(first, firstEventWaitMs, () => null);
  if (next?.done) return sendNothingLeft(reply);
  if (next && isError(next.value)) requireReadable(request, next.value);
  return sendEventStream(request, reply, {
    events,
    first,
    frame,
    // The request for the event after the end confirms the delivery of the end.
    isEnd: (event) => !('content' in event),
    watch,
  });
}

/**
 * How a stored attempt ended is data to a request that replays it; only a send fails because of it.
 * @throws AppError
 */
function requireReadable(request: FastifyRequest, error: MessageError): void {
  const { generationId, code, message, retryAfterSeconds, isInterrupted } = error;
  if (lastEventIdOf(request)?.startsWith(`${generationId}:`)) return;
  const wait = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  if (!isInterrupted) throw new AppError(httpCode(code), { message, ...wait });
  if (request.method !== 'GET') throw new AppError('unavailable', { message });
}

function frame(event: MessageStreamPayload): string {
  const id = replyEventId(event);
  if ('content' in event) return sse('delta', { content: event.content }, id);
  if (isError(event)) return sse('error', errorData(event), id);
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
  return sse('done', data, id);
}

type MessageError = Extract<MessageStreamPayload, { code: string }>;

const errorData = ({ code, message, retryAfterSeconds, messageId }: MessageError): object => ({
  code,
  message,
  ...(retryAfterSeconds === null ? {} : { retry_after_seconds: retryAfterSeconds }),
  ...(messageId === null ? {} : { message_id: messageId }),
});

const isError = (event: MessageStreamPayload): event is MessageError => 'code' in event;

function httpCode(code: string): ErrorCode {
  if (code in errorTable) return code as ErrorCode;
  return code === 'cancelled' ? 'not_found' : 'internal_error';
}
