import { Arg, Ctx, Field, FieldResolver, ID, InputType, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { activateMessage } from '../src/conversations/messages/branches.ts';
import { editMessage } from '../src/conversations/messages/edit-message.ts';
import { getConversation } from '../src/conversations/conversations.ts';
import { giveFeedback } from '../src/conversations/messages/feedback.ts';
import { latestMessagesOf } from '../src/conversations/messages/messages.ts';
import { regenerateMessage } from '../src/conversations/messages/regenerate.ts';
import { editMessageInput, feedbackInput } from '../src/conversations/conversation.input.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, GraphqlOnly, ListSize, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { Exchange, exchangeOf, MessageType, toMessage } from './messages.ts';

export const FeedbackRatingEnum = enumType<'up' | 'down'>('FeedbackRating', 'Rating of a reply.', {
  up: 'Helpful.',
  down: 'Not helpful.',
});

@ObjectType('MessageFeedback', { description: 'A user’s rating of a reply.' })
class MessageFeedbackType {
  @Field(() => ID, { description: 'ID of the rated message.' }) messageId!: string;
  @Field(() => FeedbackRatingEnum, { description: 'Rating of the reply.' }) rating!: 'up' | 'down';
  @Field(() => String, { nullable: true, description: 'Reason for the rating; null if none was given.' }) comment!:
    | string
    | null;
  @Field(() => Date, { description: 'Time of the rating.' }) createdAt!: Date;
  @AbsentWhenNull()
  @Field(() => Date, {
    nullable: true,
    description: 'Time since when the owner of the agent can read it with its exchange; absent if it is not shared.',
  })
  sharedAt!: Date | null;
}

@ObjectType({ description: 'The messages of a conversation after another branch was activated.' })
class ActivatedBranch {
  @Field(() => ID, { description: 'Conversation ID.' }) conversationId!: string;
  @ListSize(50)
  @Field(() => [MessageType], { description: 'The latest 50 messages of the active branch, oldest first.' })
  messages!: MessageType[];
}

@InputType({ description: 'The new text of a message.' })
@Rules(editMessageInput)
export class EditMessageInput {
  @Field(() => String, { description: '1 to 32,000 characters after trimming.' }) content!: string;
}

@InputType({ description: 'A rating of a reply.' })
@Rules(feedbackInput)
class FeedbackInput {
  @Field(() => FeedbackRatingEnum, { description: 'Rating of the reply.' }) rating!: 'up' | 'down';
  @Field(() => String, { nullable: true, description: 'Reason for the rating, at most 2,000 characters.' }) comment?:
    | string
    | null;
  @Field(() => Boolean, {
    nullable: true,
    description:
      'true lets the owner of the agent read the rating, the comment, your message and the reply, without your name. A later rating without it revokes this.',
  })
  share?: boolean | null;
}

@Resolver(() => MessageType)
export class MessageBranchResolver {
  @Access('conversations:write')
  @Mutation(() => Exchange, {
    description: 'Regenerates a reply on a new branch and waits for it. It counts as a message.',
  })
  async regenerateMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) conversationId: string,
    @Arg('messageId', () => ID, { description: 'ID of the reply to replace.' }) messageId: string,
  ): Promise<Exchange> {
    const { idempotencyKey } = ctx;
    return exchangeOf(ctx, await regenerateMessage(ctx, conversationId, messageId, { idempotencyKey }));
  }

  @Access('conversations:write')
  @Mutation(() => Exchange, {
    description: 'Replaces a user message with a new one on a new branch and waits for the reply.',
  })
  async editMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) conversationId: string,
    @Arg('messageId', () => ID, { description: 'ID of the user message to replace.' }) messageId: string,
    @Arg('input', () => EditMessageInput) { content }: EditMessageInput,
  ): Promise<Exchange> {
    const { idempotencyKey } = ctx;
    return exchangeOf(ctx, await editMessage(ctx, conversationId, messageId, { content, idempotencyKey }));
  }

  @Access('conversations:write')
  @Mutation(() => ActivatedBranch, {
    description: 'Makes the branch that contains a message the active branch of its conversation.',
  })
  async activateMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) conversationId: string,
    @Arg('messageId', () => ID, { description: 'ID of a message on the branch.' }) messageId: string,
  ): Promise<ActivatedBranch> {
    await activateMessage(ctx, conversationId, messageId);
    await getConversation(ctx, conversationId);
    return { conversationId, messages: (await latestMessagesOf(ctx, [conversationId])).map(toMessage) };
  }

  @Access('conversations:write')
  @Mutation(() => MessageFeedbackType, { description: 'Rates a reply. A later rating replaces an earlier one.' })
  giveFeedback(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) conversationId: string,
    @Arg('messageId', () => ID, { description: 'ID of the reply.' }) messageId: string,
    @Arg('input', () => FeedbackInput) { rating, comment, share }: FeedbackInput,
  ): Promise<MessageFeedbackType> {
    return giveFeedback(ctx, conversationId, messageId, { rating, comment, share });
  }

  @GraphqlOnly()
  @FieldResolver(() => [ID], {
    description: 'IDs of the alternative messages at this position, including this one, oldest first.',
  })
  branchIds(@Root() message: MessageType, @Ctx() ctx: GraphqlContext): Promise<string[]> {
    return ctx.loaders.branchIds.load(message.id);
  }

  @GraphqlOnly()
  @FieldResolver(() => MessageFeedbackType, {
    nullable: true,
    description: 'The user’s rating of the reply; null if there is none.',
  })
  feedback(@Root() message: MessageType, @Ctx() ctx: GraphqlContext): Promise<MessageFeedbackType | null> {
    return ctx.loaders.feedback.load(message.id);
  }
}
