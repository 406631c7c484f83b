import { offline } from '../api/api-error.ts';
import type { ReplyEvent, ReplySource } from '../chat/replies/reply.ts';
import type { VisitorApi } from './visitor-api.ts';

/** Returns the source of a reply for `readReply`. A repeated request under the same key joins the running reply. */
export function replySource(api: VisitorApi, content: string, key: string | null): ReplySource {
  const begin = (signal: AbortSignal): AsyncIterable<ReplyEvent> => readReply(api, content, key, signal);
  return { begin, resume: (_generationId, _from, signal) => begin(signal), findRunning: async () => null };
}

async function* readReply(
  api: VisitorApi,
  content: string,
  key: string | null,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent, void, void> {
  const response = await api.request('/v1/embed/messages/stream', {
    method: 'POST',
    body: JSON.stringify({ content }),
    headers: key ? { 'idempotency-key': key } : {},
    signal,
  });
  const reader = (response.body ?? new ReadableStream()).getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let buffer = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw signal.aborted ? error : offline();
      });
      if (done) return;
      buffer += decoder.decode(value, { stream: true });
      const frames = buffer.split('\n\n');
      buffer = frames.pop() ?? '';
      for (const frame of frames) {
        const event = eventOf(frame);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

interface Data {
  content: string;
  message_id: string | null;
  user_message_id: string;
  stopped?: boolean;
  code: string;
  message: string;
}

/** Parses a frame; null for a heartbeat. Its id is the generation, and for a delta `:` and the offset of its end. */
function eventOf(frame: string): ReplyEvent | null {
  const field = (name: string): string =>
    frame
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? '';
  const type = field('event');
  if (type === '') return null;
  const [generationId = '', end = '0'] = field('id').split(':');
  const data = JSON.parse(field('data')) as Data;
  if (type === 'delta') return { __typename: 'MessageDelta', generationId, content: data.content, end: Number(end) };
  if (type === 'error') return { __typename: 'MessageError', generationId, code: data.code, message: data.message };
  const { message_id: messageId, user_message_id: userMessageId, stopped = false } = data;
  return { __typename: 'MessageDone', generationId, messageId, userMessageId, stopped };
}
