import { Arg, ID, Resolver, Root, Subscription } from 'type-graphql';
import { followReply } from '../src/conversations/generations/follow-reply.ts';
import { editMessage } from '../src/conversations/messages/edit-message.ts';
import { regenerateMessage } from '../src/conversations/messages/regenerate.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { EditMessageInput } from './message-branches.ts';
import { MessageStreamEvent, type MessageStreamPayload, toStream } from './messages.ts';

interface RegenerateArgs {
  conversationId: string;
  messageId: string;
}

interface EditArgs extends RegenerateArgs {
  input: EditMessageInput;
}

@Resolver()
export class BranchStreamResolver {
  @Access('conversations:write')
  @Subscription(() => MessageStreamEvent, {
    description: 'Regenerates a reply on a new branch and streams it. It counts as a message.',
    subscribe: async ({ args, context }) => {
      const ctx = context as GraphqlContext;
      const { conversationId, messageId } = args as RegenerateArgs;
      const { idempotencyKey } = ctx;
      const accepted = await regenerateMessage(ctx, conversationId, messageId, { idempotencyKey });
      return toStream(ctx, accepted, followReply(ctx, accepted));
    },
  })
  regenerateStream(
    @Root() event: MessageStreamPayload,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) _conversationId: string,
    @Arg('messageId', () => ID, { description: 'ID of the reply to replace.' }) _messageId: string,
  ): typeof MessageStreamEvent {
    return event;
  }

  @Access('conversations:write')
  @Subscription(() => MessageStreamEvent, {
    description: 'Replaces a user message with a new one on a new branch and streams the reply.',
    subscribe: async ({ args, context }) => {
      const ctx = context as GraphqlContext;
      const { conversationId, messageId, input } = args as EditArgs;
      const { idempotencyKey } = ctx;
      const { content } = input;
      const accepted = await editMessage(ctx, conversationId, messageId, { content, idempotencyKey });
      return toStream(ctx, accepted, followReply(ctx, accepted));
    },
  })
  editStream(
    @Root() event: MessageStreamPayload,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) _conversationId: string,
    @Arg('messageId', () => ID, { description: 'ID of the user message to replace.' }) _messageId: string,
    @Arg('input', () => EditMessageInput) _input: EditMessageInput,
  ): typeof MessageStreamEvent {
    return event;
  }
}
