import {
  EditStreamDocument,
  GenerationStreamDocument,
  MessageStreamDocument,
  RegenerateStreamDocument,
  RunningGenerationDocument,
  type TypedDocumentString,
} from '../../api/generated/operations.ts';
import { acquireSlot } from '../../api/locks.ts';
import { request } from '../../api/request.ts';
import { subscribe } from '../../api/subscribe.ts';
import type { OnQueued, ReplyEvent, ReplySource } from './reply.ts';

type Begin = ReplySource['begin'];

/** Over HTTP/1.1 all tabs of a browser share six connections per host. Replies leave some for other requests. */
const maximumStreams = 3;

async function* readStream<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  options: { signal: AbortSignal; idempotencyKey?: string | undefined },
  onQueued: OnQueued,
): AsyncGenerator<Result, void, void> {
  const leave = await acquireSlot('reply', maximumStreams, options.signal, () => onQueued(true));
  onQueued(false);
  try {
    yield* subscribe(document, variables, options);
  } finally {
    leave();
  }
}

/** Sends a message. With a key it is idempotent. */
export const sending = (conversationId: string, content: string, key: string | undefined): ReplySource =>
  sourceOf(conversationId, key !== undefined, async function* begin(signal, onQueued) {
    const options = { signal, idempotencyKey: key };
    const stream = readStream(MessageStreamDocument, { conversationId, content }, options, onQueued);
    for await (const { messageStream } of stream) yield messageStream as ReplyEvent;
  });

export const regenerating = (conversationId: string, messageId: string, key: string): ReplySource =>
  sourceOf(conversationId, false, async function* begin(signal, onQueued) {
    const options = { signal, idempotencyKey: key };
    const stream = readStream(RegenerateStreamDocument, { conversationId, messageId }, options, onQueued);
    for await (const { regenerateStream } of stream) yield regenerateStream as ReplyEvent;
  });

export const editing = (conversationId: string, messageId: string, content: string, key: string): ReplySource =>
  sourceOf(conversationId, true, async function* begin(signal, onQueued) {
    const variables = { conversationId, messageId, content };
    const stream = readStream(EditStreamDocument, variables, { signal, idempotencyKey: key }, onQueued);
    for await (const { editStream } of stream) yield editStream as ReplyEvent;
  });

/** Reads a reply that was already running when the page was loaded. */
export const running = (conversationId: string, generationId: string): ReplySource => {
  const source = sourceOf(conversationId, false, (...how) => source.resume(generationId, 0, ...how));
  return source;
};

function sourceOf(conversationId: string, isOwn: boolean, begin: Begin): ReplySource {
  return {
    begin,
    isOwn,
    async *resume(generationId, from, signal, onQueued) {
      const variables = { conversationId, generationId, from };
      const stream = readStream(GenerationStreamDocument, variables, { signal }, onQueued);
      for await (const { generationStream } of stream) yield generationStream as ReplyEvent;
    },
    async findRunning() {
      const { conversation } = await request(RunningGenerationDocument, { id: conversationId });
      return conversation.generation?.state === 'RUNNING' ? conversation.generation.id : null;
    },
  };
}
