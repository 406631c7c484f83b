import {
  EditStreamDocument,
  GenerationStreamDocument,
  MessageStreamDocument,
  RegenerateStreamDocument,
  RunningGenerationDocument,
} from '../../api/generated/operations.ts';
import { request } from '../../api/request.ts';
import { subscribeInSlot } from '../../api/subscribe-in-slot.ts';
import type { ReplyEvent, ReplySource } from './reply.ts';

type Begin = ReplySource['begin'];

/** Sends a message. With a key it is idempotent. */
export const sending = (conversationId: string, content: string, key: string | undefined): ReplySource =>
  sourceOf(conversationId, key !== undefined, async function* begin(signal, onQueued) {
    const options = { signal, idempotencyKey: key, onQueued };
    const stream = subscribeInSlot('reply', MessageStreamDocument, { conversationId, content }, options);
    for await (const { messageStream } of stream) yield messageStream as ReplyEvent;
  });

export const regenerating = (conversationId: string, messageId: string, key: string): ReplySource =>
  sourceOf(conversationId, false, async function* begin(signal, onQueued) {
    const options = { signal, idempotencyKey: key, onQueued };
    const stream = subscribeInSlot('reply', RegenerateStreamDocument, { conversationId, messageId }, options);
    for await (const { regenerateStream } of stream) yield regenerateStream as ReplyEvent;
  });

export const editing = (conversationId: string, messageId: string, content: string, key: string): ReplySource =>
  sourceOf(conversationId, true, async function* begin(signal, onQueued) {
    const variables = { conversationId, messageId, content };
    const options = { signal, idempotencyKey: key, onQueued };
    const stream = subscribeInSlot('reply', EditStreamDocument, variables, options);
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
      const stream = subscribeInSlot('reply', GenerationStreamDocument, variables, { signal, onQueued });
      for await (const { generationStream } of stream) yield generationStream as ReplyEvent;
    },
    async findRunning() {
      const { conversation } = await request(RunningGenerationDocument, { id: conversationId });
      return conversation.generation?.state === 'RUNNING' ? conversation.generation.id : null;
    },
  };
}
