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
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import { followGeneration, type GenerationEvent, markDelivered } from '../src/conversations/follow-generation.ts';
import type { Message, MessageRole } from '../src/conversations/message.entity.ts';
import { listMessages } from '../src/conversations/messages.ts';
import { waitForReply } from '../src/conversations/reply.ts';
import { sendMessage } from '../src/conversations/send-message.ts';
import type { AcceptedMessage } from '../src/conversations/start-generation.ts';
import { sendMessageInput } from '../src/conversations/conversation.input.ts';
import type { GraphqlContext } from './context.ts';
import { AfterArg, PageInfo } from './page-info.ts';
import { AbsentWhenNull, Access, GraphqlOnly, Rules } from './decorators.ts';
import { MessageRoleEnum } from './enums.ts';

@ObjectType('Citation', { description: 'A piece of a document that a reply used.' })
class CitationType {
  @Field(() => ID) chunkId!: string;
  @Field(() => ID) documentId!: string;
  @Field(() => String) filename!: string;
  @Field(() => Int, { description: 'Its place in the document, from 0.' }) chunkIndex!: number;
}

@ObjectType('Message', { description: 'One message of a conversation.' })
export class MessageType {
  @Field(() => ID) id!: string;
  @Field(() => ID) conversationId!: string;
  @Field(() => MessageRoleEnum) role!: MessageRole;
  @Field(() => String) content!: string;
  @AbsentWhenNull()
  @Field(() => [CitationType], { nullable: true, description: 'The chunks that a reply used; null when it used none.' })
  citations!: CitationType[] | null;
  @Field(() => Date) createdAt!: Date;
}

@ObjectType({ description: 'One page of messages, newest first.' })
class MessageList {
  @Field(() => [MessageType]) data!: MessageType[];
  @Field(() => Boolean) hasMore!: boolean;
  @GraphqlOnly()
  @Field(() => PageInfo, { description: 'Where to go on.' })
  pageInfo!: PageInfo;
}

@ObjectType({ description: 'A message and the reply to it.' })
export class Exchange {
  @Field(() => MessageType) userMessage!: MessageType;
  @Field(() => MessageType) assistantMessage!: MessageType;
}

@InputType()
@Rules(sendMessageInput)
class SendMessageInput {
  @Field(() => String, { description: '1 to 32,000 characters after trimming, stored as sent.' }) content!: string;
  @Field(() => MessageRoleEnum, { nullable: true, description: 'Must be `user`.' }) role?: MessageRole;
}

@ObjectType('TokenUsage', { description: 'Tokens that the model read and wrote.' })
class TokenUsageType {
  @Field(() => Int) inputTokens!: number;
  @Field(() => Int) outputTokens!: number;
}

@ObjectType({ description: 'A piece of the reply. All pieces in order are the reply.' })
class MessageDelta {
  @Field(() => ID) generationId!: string;
  @Field(() => String) content!: string;
  @Field(() => Int, { description: 'Length of the reply up to here, in UTF-16 units.' }) end!: number;
}

@ObjectType({ description: 'The reply is stored.' })
class MessageDone {
  @Field(() => ID, { nullable: true, description: 'null when it was stopped before anything was written.' })
  messageId!: string | null;
  @Field(() => ID) userMessageId!: string;
  @Field(() => ID) conversationId!: string;
  @Field(() => ID) generationId!: string;
  @Field(() => Boolean, { description: 'Whether it was stopped before its end.' }) stopped!: boolean;
  @Field(() => TokenUsageType, { nullable: true }) usage!: TokenUsageType | null;
  @Field(() => [CitationType], { nullable: true }) citations!: CitationType[] | null;
}

@ObjectType({ description: 'The reply failed; the stream ends.' })
class MessageError {
  @Field(() => ID) generationId!: string;
  @Field(() => String, { description: 'An error code in lower case.' }) code!: string;
  @Field(() => String) message!: string;
}

export const MessageStreamEvent = createUnionType({
  name: 'MessageStreamEvent',
  description: 'What happens while a reply is written: pieces, then its end or an error.',
  types: () => [MessageDelta, MessageDone, MessageError] as const,
});

export const toMessage = ({ id, conversationId, role, content, citations, createdAt }: Message): MessageType => ({
  id,
  conversationId,
  role,
  content,
  citations: citations ?? null,
  createdAt,
});

@Resolver()
export class MessageResolver {
  @Access('conversations:read')
  @Query(() => MessageList, { description: 'Messages of a conversation, newest first.' })
  async messages(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID) conversationId: string,
    @Arg('before', () => ID, { nullable: true, description: 'Only messages older than this one.' }) before?: string,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100, default 20.' }) limit?: number,
    @Arg('offset', () => Int, { nullable: true, description: 'Default 0.' }) offset?: number,
    @AfterArg() after?: string,
  ): Promise<MessageList> {
    const page = await listMessages(ctx, conversationId, { before, limit, offset, after });
    return { ...page, data: page.data.map(toMessage), hasMore: page.pageInfo.hasNextPage };
  }

  @Access('conversations:write')
  @Mutation(() => Exchange, { description: 'Sends a message and waits for the whole reply.' })
  async sendMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID) conversationId: string,
    @Arg('input', () => SendMessageInput) input: SendMessageInput,
  ): Promise<Exchange> {
    return exchangeOf(ctx, () => accept(ctx, conversationId, input));
  }

  @Access('conversations:write')
  @Subscription(() => MessageStreamEvent, {
    description: 'Sends a message and streams the reply.',
    subscribe: async ({ args, context }) => {
      const ctx = context as GraphqlContext;
      const { conversationId, input } = args as { conversationId: string; input: SendMessageInput };
      const send = () => accept(ctx, conversationId, input);
      return streamReply(ctx, conversationId, await send(), 0, send);
    },
  })
  messageStream(
    @Root() event: MessageStreamPayload,
    @Arg('conversationId', () => ID) _conversationId: string,
    @Arg('input', () => SendMessageInput) _input: SendMessageInput,
  ): typeof MessageStreamEvent {
    return event;
  }
}

const accept = (
  ctx: GraphqlContext,
  conversationId: string,
  { content, role }: SendMessageInput,
): Promise<AcceptedMessage> => sendMessage(ctx, conversationId, { content, role, idempotencyKey: ctx.idempotencyKey });

/** Sends a message, waits for the reply and answers it with its message. */
export async function exchangeOf(ctx: GraphqlContext, send: () => Promise<AcceptedMessage>): Promise<Exchange> {
  const { accepted, userMessage, assistantMessage } = await waitForReply(ctx, send);
  ctx.onDelivered(() => noteDelivery(ctx, accepted.generationId));
  return { userMessage: toMessage(userMessage), assistantMessage: toMessage(assistantMessage) };
}

/** What the subscription yields; the REST stream reads the same. */
export type MessageStreamPayload = MessageDelta | MessageDone | MessageError;

/**
 * The events of a reply, from its first character or after so many UTF-16 units. With `again`, one that a dying instance
 * had begun unseen is begun anew.
 */
export function streamReply(
  ctx: GraphqlContext,
  conversationId: string,
  accepted: AcceptedMessage,
  from = 0,
  again?: () => Promise<AcceptedMessage>,
): AsyncIterableIterator<MessageStreamPayload, void, void> {
  let reply = accepted;
  let events = followGeneration(ctx, reply.generationId, { from });
  let begin = again;
  let isDone = false;
  // By hand for the reason that `followGeneration` has.
  const stream: AsyncIterableIterator<MessageStreamPayload, void, void> = {
    [Symbol.asyncIterator]: () => stream,
    async next() {
      // Asked for more after the end: the end was taken. A client that vanished asks for nothing.
      if (isDone) noteDelivery(ctx, reply.generationId);
      const next = await events.next();
      if (next.done) return next;
      const event = next.value;
      if (event.type === 'error' && event.again && begin) {
        reply = await begin();
        begin = undefined;
        events = followGeneration(ctx, reply.generationId);
        return stream.next();
      }
      isDone = event.type === 'done';
      return { value: toStreamEvent(event, conversationId, reply), done: false };
    },
    async return() {
      await events.return?.();
      return { value: undefined, done: true };
    },
  };
  return stream;
}

function noteDelivery(ctx: GraphqlContext, generationId: string): void {
  markDelivered(ctx, generationId).catch((error: unknown) => ctx.log.warn({ err: error }, 'a delivery was not noted'));
}

function toStreamEvent(
  event: GenerationEvent,
  conversationId: string,
  accepted: AcceptedMessage,
): MessageStreamPayload {
  const { generationId } = accepted;
  switch (event.type) {
    case 'delta':
      return Object.assign(new MessageDelta(), { generationId, content: event.content, end: event.end });
    case 'done':
      return Object.assign(new MessageDone(), {
        messageId: event.message?.id ?? null,
        userMessageId: accepted.userMessageId,
        conversationId,
        generationId,
        stopped: event.stopped,
        usage: event.usage,
        citations: event.message?.citations ?? null,
      });
    case 'error':
      return Object.assign(new MessageError(), { generationId, code: event.code, message: event.message });
  }
}
