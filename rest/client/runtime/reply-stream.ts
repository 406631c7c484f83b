import { ApiError, ConnectionError } from './errors.ts';
import { pause, retryDelayMs } from './retry.ts';
import { readFrames } from './sse.ts';
import type { Call, CallOptions, Transport } from './transport.ts';
import type { ErrorCode } from './vocabulary.ts';

/** A piece of the reply. The reply is all pieces in order. */
export interface DeltaEvent {
  type: 'delta';
  content: string;
}

/** The reply is complete and stored; null when it was stopped before its first word. */
export interface DoneEvent {
  type: 'done';
  message_id: string | null;
  conversation_id: string;
  user_message_id: string;
  generation_id: string;
  stopped?: boolean;
  usage?: { input_tokens: number; output_tokens: number };
  /** Passages of documents that the reply used. */
  citations?: { chunk_id: string; document_id: string; filename: string; chunk_index: number }[];
}

export type ReplyEvent = DeltaEvent | DoneEvent;

/** A reply that can be read once: event by event, or as a whole. */
export interface ReplyStream extends AsyncIterable<ReplyEvent> {
  /** Reads the whole reply. */
  text(): Promise<string>;
}

/**
 * Streams a reply while it is generated. After a lost connection the stream resumes without gaps or repeats; a request
 * whose response was lost is repeated under the same key, so the message is stored once. Leaving the loop closes the
 * connection; the service completes the reply without it.
 * @throws ApiError also for an `error` event; ConnectionError when the service cannot be reached
 */
export function replyStream(
  transport: Transport,
  start: Call,
  pathOf: (generationId: string) => string,
  options: CallOptions,
): ReplyStream {
  return {
    [Symbol.asyncIterator]: () => events(transport, start, pathOf, options),
    async text() {
      let text = '';
      for await (const event of this) if (event.type === 'delta') text += event.content;
      return text;
    },
  };
}

async function* events(
  transport: Transport,
  start: Call,
  pathOf: (generationId: string) => string,
  options: CallOptions,
): AsyncGenerator<ReplyEvent, void, void> {
  const policy = { ...transport, retries: options.retries ?? transport.retries };
  const open = transport.prepare(start, options, asStream);
  let lastId = '';
  for (let failures = 0; ;) {
    try {
      const answer = await (lastId === '' ? open() : resume(transport, pathOf, lastId, options));
      for await (const { event, id, data } of readFrames(answer.body, transport.idleMs)) {
        options.signal?.throwIfAborted();
        if (event === 'error') throw streamError(data, answer);
        if (event === 'done') return yield { type: 'done', ...(JSON.parse(data) as Omit<DoneEvent, 'type'>) };
        if (event !== 'delta') continue;
        lastId = id;
        failures = 0;
        yield { type: 'delta', ...(JSON.parse(data) as Omit<DeltaEvent, 'type'>) };
      }
      throw new ConnectionError('The stream ended before its last event.');
    } catch (error) {
      options.signal?.throwIfAborted();
      const delayMs = retryDelayMs(error, ++failures, start.repeatable, policy);
      if (delayMs === null) throw error;
      await pause(delayMs, options.signal);
    }
  }
}

function resume(
  transport: Transport,
  pathOf: (generationId: string) => string,
  lastId: string,
  options: CallOptions,
): Promise<Response> {
  const path = pathOf(lastId.slice(0, lastId.lastIndexOf(':')));
  const call: Call = { method: 'GET', path, repeatable: true };
  return transport.prepare(call, options, asStream)({ 'last-event-id': lastId });
}

const asStream = async (answer: Response): Promise<Response> => {
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  throw new ConnectionError('The response is not an event stream.');
};

function streamError(data: string, answer: Response): ApiError {
  const { code, message } = JSON.parse(data) as { code: ErrorCode | 'cancelled'; message: string };
  const requestId = answer.headers.get('x-request-id');
  return new ApiError(message, { status: null, code, details: [], requestId, retryAfterSeconds: null });
}
