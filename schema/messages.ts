import { ChunkLocated } from './chunk-location.ts';
import {
  Arg,
  createUnionType,
  Ctx,
  Field,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import { callerId } from '../src/accounts/caller.ts';
import { markDelivered } from '../src/conversations/generations/delivery.ts';
import { followGeneration } from '../src/conversations/generations/follow-generation.ts';
import { followReply } from '../src/conversations/generations/follow-reply.ts';
import { findResumed, type ReceivedReply } from '../src/conversations/generations/resume-reply.ts';
import type { GenerationEvent, GenerationEvents } from '../src/conversations/replies/generation-events.ts';
import type { Message, MessageRole } from '../src/conversations/messages/message.entity.ts';
import { waitForReply } from '../src/conversations/generations/wait-for-reply.ts';
import { sendMessage } from '../src/conversations/messages/send-message.ts';
import type { AcceptedMessage } from '../src/conversations/generations/generation-job.ts';
import { sendMessageInput } from '../src/conversations/conversation.input.ts';
import { quotedWords } from '../src/knowledge/retrieval/citations.ts';
import { passagesPerMessage } from '../src/knowledge/retrieval/retrieve.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, ListSize, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';

export const MessageRoleEnum = enumType<MessageRole>('MessageRole', 'Author of a message.', {
  user: 'The user.',
  assistant: 'The agent.',
});

@ObjectType('Citation', {
  description:
    'A passage of a document that a reply used: the model marked it as a source or, if the model marked none, the reply ' +
    `quotes at least ${quotedWords} consecutive words of it.`,
})
export class CitationType extends ChunkLocated {
  @Field(() => ID, { description: 'Chunk ID (`chk_…`).' }) chunkId!: string;
  @Field(() => ID, { description: 'Document ID (`doc_…`).' }) documentId!: string;
  @Field(() => String, { description: 'File name of the document.' }) filename!: string;
  @Field(() => Int, { description: 'Position of the chunk in the document, starting at 0.' }) chunkIndex!: number;
  place?: string;
  marks?: number[];
}

@ObjectType('Message', { description: 'A message in a conversation.' })
export class MessageType {
  @Field(() => ID, { description: 'Message ID (`msg_…`).' }) id!: string;
  @Field(() => ID, { description: 'ID of the conversation.' }) conversationId!: string;
  @Field(() => MessageRoleEnum, { description: 'Author of the message.' }) role!: MessageRole;
  @Field(() => String, { description: 'Text of the message.' }) content!: string;
  @AbsentWhenNull()
  @ListSize(passagesPerMessage)
  @Field(() => [CitationType], {
    nullable: true,
    description: 'Passages of documents that the reply used; absent if it used none.',
  })
  citations!: CitationType[] | null;
  @AbsentWhenNull()
  @Field(() => Boolean, { nullable: true, description: 'true if the reply reached a length limit; otherwise null.' })
  truncated!: boolean | null;
  @AbsentWhenNull()
  @Field(() => Boolean, {
    nullable: true,
    description: 'true for what was shown of a reply that failed; otherwise null.',
  })
  broken!: boolean | null;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
}

@ObjectType({ description: 'A user message and the reply to it.' })
export class Exchange {
  @Field(() => MessageType, { description: 'The user’s message as stored.' }) userMessage!: MessageType;
  @Field(() => MessageType, { description: 'The reply as stored.' }) assistantMessage!: MessageType;
}

@InputType({ description: 'A message to the agent.' })
@Rules(sendMessageInput)
class SendMessageInput {
  @Field(() => String, { description: '1 to 32,000 characters after trimming; stored as sent.' }) content!: string;
  @Field(() => MessageRoleEnum, { nullable: true, description: 'Must be `user`.' }) role?: MessageRole;
}

@ObjectType('TokenUsage', { description: 'Tokens that a reply used.' })
export class TokenUsageType {
  @Field(() => Int, { description: 'Number of tokens in the prompt.' }) inputTokens!: number;
  @Field(() => Int, { description: 'Number of tokens in the reply.' }) outputTokens!: number;
}

@ObjectType({ description: 'A piece of the reply. The concatenated pieces are the reply.' })
class MessageDelta {
  @Field(() => ID, { description: 'ID of the generation, the attempt that produces the reply (`gen_…`).' })
  generationId!: string;
  @Field(() => String, { description: 'Text to append.' }) content!: string;
  @Field(() => Int, { description: 'Length of the reply up to and including this piece, in UTF-16 code units.' })
  end!: number;
}

@ObjectType({ description: 'The reply is complete and stored.' })
class MessageDone {
  @Field(() => ID, {
    nullable: true,
    description: 'ID of the stored reply; null if it was stopped before its first word.',
  })
  messageId!: string | null;
  @Field(() => ID, { description: 'ID of the message that the reply answers.' }) userMessageId!: string;
  @Field(() => ID, { description: 'ID of the conversation.' }) conversationId!: string;
  @Field(() => ID, { description: 'ID of the generation, the attempt that produces the reply (`gen_…`).' })
  generationId!: string;
  @Field(() => Boolean, { description: 'Whether the reply was stopped before its end.' }) stopped!: boolean;
  @Field(() => Boolean, { description: 'Whether the reply reached a length limit.' }) truncated!: boolean;
  @Field(() => TokenUsageType, { nullable: true, description: 'Tokens used, if the provider reports them.' })
  usage!: TokenUsageType | null;
  @Field(() => [CitationType], {
    nullable: true,
    description: 'Passages of documents that the reply used; null if it used none.',
  })
  citations!: CitationType[] | null;
}

@ObjectType({ description: 'The reply failed. No further event follows.' })
class MessageError {
  @Field(() => ID, { description: 'ID of the generation, the attempt that produces the reply (`gen_…`).' })
  generationId!: string;
  @Field(() => String, { description: 'Error code in lower case.' }) code!: string;
  @Field(() => String, { description: 'Explanation for the user.' }) message!: string;
  @Field(() => Int, { nullable: true, description: 'Seconds to wait before another attempt; null if not known.' })
  retryAfterSeconds!: number | null;
  @Field(() => ID, {
    nullable: true,
    description: 'ID of the message with what was shown of the reply; null if nothing was shown.',
  })
  messageId!: string | null;
  /**
   * Whether the instance that wrote the reply crashed. Such an error is not a failure of the request that reads the
   * reply.
   */
  isInterrupted!: boolean;
}

export const MessageStreamEvent = createUnionType({
  name: 'MessageStreamEvent',
  description: 'An event of a streamed reply: pieces, then completion or an error.',
  types: () => [MessageDelta, MessageDone, MessageError] as const,
});

export const toMessage = ({
  id,
  conversationId,
  role,
  content,
  citations,
  truncated,
  broken,
  createdAt,
}: Message): MessageType => ({
  id,
  conversationId,
  role,
  content,
  citations: citations ?? null,
  truncated: truncated || null,
  broken: broken || null,
  createdAt,
});

@Resolver()
export class MessageResolver {
  @Access('conversations:write')
  @Mutation(() => Exchange, { description: 'Sends a message and waits for the complete reply.' })
  async sendMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) conversationId: string,
    @Arg('input', () => SendMessageInput) input: SendMessageInput,
  ): Promise<Exchange> {
    return exchangeOf(ctx, await accept(ctx, conversationId, input));
  }

  @Access('conversations:write')
  @Subscription(() => MessageStreamEvent, {
    description: 'Sends a message and streams the reply.',
    subscribe: async ({ args, context }) => {
      const ctx = context as GraphqlContext;
      const { conversationId, input } = args as { conversationId: string; input: SendMessageInput };
      const resumed = await findResumed(ctx, conversationId, ctx.lastEventId, messageOf(ctx, input));
      if (resumed) return resumeReply(ctx, resumed.accepted, resumed.received);
      const accepted = await accept(ctx, conversationId, input);
      return toStream(ctx, accepted, followReply(ctx, accepted));
    },
  })
  messageStream(
    @Root() event: MessageStreamPayload,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) _conversationId: string,
    @Arg('input', () => SendMessageInput) _input: SendMessageInput,
  ): typeof MessageStreamEvent {
    return event;
  }
}

const messageOf = ({ idempotencyKey }: GraphqlContext, { content, role }: SendMessageInput) => ({
  content,
  role,
  idempotencyKey,
});

const accept = (ctx: GraphqlContext, conversationId: string, input: SendMessageInput): Promise<AcceptedMessage> =>
  sendMessage(ctx, conversationId, messageOf(ctx, input));

/** Waits for the reply to an accepted message and returns both messages. */
export async function exchangeOf(ctx: GraphqlContext, message: AcceptedMessage): Promise<Exchange> {
  const { accepted, userMessage, assistantMessage } = await waitForReply(ctx, message);
  if (message.isReplay) ctx.markReplayed();
  ctx.onDelivered(() => noteDelivery(ctx, accepted.generationId));
  return { userMessage: toMessage(userMessage), assistantMessage: toMessage(assistantMessage) };
}

/** The events of the subscription, which the REST stream uses too. */
export type MessageStreamPayload = MessageDelta | MessageDone | MessageError;

/**
 * Converts the events of a reply to those of the subscription. When the client requests an event after `done`, the
 * reply is recorded as delivered.
 */
export function toStream(
  ctx: GraphqlContext,
  message: AcceptedMessage,
  events: GenerationEvents & { accepted?: AcceptedMessage },
): AsyncIterableIterator<MessageStreamPayload, void, void> {
  if (message.isReplay) ctx.markReplayed();
  const current = () => events.accepted ?? message;
  let isDone = false;
  // Hand-written iterator for the same reason as in `followLive`.
  const stream: AsyncIterableIterator<MessageStreamPayload, void, void> = {
    [Symbol.asyncIterator]: () => stream,
    async next() {
      // A disconnected client would not request another event after the end.
      if (isDone) noteDelivery(ctx, current().generationId);
      const next = await events.next();
      if (next.done) return next;
      isDone = next.value.type === 'done';
      return { value: toStreamEvent(next.value, current()), done: false };
    },
    async return() {
      await events.return?.();
      return { value: undefined, done: true };
    },
  };
  return stream;
}

/** Continues the stream of a reply after what its reader has received. Yields nothing to a reader that has the end. */
export function resumeReply(
  ctx: GraphqlContext,
  message: AcceptedMessage,
  { generationId, length }: ReceivedReply,
): AsyncIterableIterator<MessageStreamPayload, void, void> {
  if (length === null) return noEvents();
  return toStream(ctx, message, followGeneration(ctx, { id: generationId, userId: callerId(ctx) }, { from: length }));
}

async function* noEvents(): AsyncGenerator<never, void, void> {}

function noteDelivery(ctx: GraphqlContext, generationId: string): void {
  markDelivered(ctx, generationId).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'could not record that a reply was delivered'),
  );
}

function toStreamEvent(event: GenerationEvent, accepted: AcceptedMessage): MessageStreamPayload {
  const { generationId, conversationId, userMessageId } = accepted;
  switch (event.type) {
    case 'delta':
      return Object.assign(new MessageDelta(), { generationId, content: event.content, end: event.end });
    case 'done':
      return Object.assign(new MessageDone(), {
        messageId: event.message?.id ?? null,
        userMessageId,
        conversationId,
        generationId,
        stopped: event.stopped,
        truncated: event.message?.truncated ?? false,
        usage: event.usage,
        citations: event.message?.citations ?? null,
      });
    case 'error': {
      const { code, message, retryAfterSeconds = null, brokenId: messageId = null, isInterrupted = false } = event;
      const failure = { generationId, code, message, retryAfterSeconds, messageId, isInterrupted };
      return Object.assign(new MessageError(), failure);
    }
  }
}
