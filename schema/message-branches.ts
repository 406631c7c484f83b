import { Arg, Ctx, Field, FieldResolver, ID, InputType, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { activateMessage } from '../src/conversations/branches.ts';
import { editMessage } from '../src/conversations/edit-message.ts';
import { getConversation } from '../src/conversations/conversations.ts';
import { giveFeedback } from '../src/conversations/feedback.ts';
import { latestMessagesOf } from '../src/conversations/messages.ts';
import { regenerateMessage } from '../src/conversations/regenerate.ts';
import { editMessageInput, feedbackInput } from '../src/conversations/conversation.input.ts';
import type { GraphqlContext } from './context.ts';
import { Access, GraphqlOnly, Rules } from './decorators.ts';
import { FeedbackRatingEnum } from './enums.ts';
import { Exchange, exchangeOf, MessageType, toMessage } from './messages.ts';

@ObjectType('MessageFeedback', { description: 'What the user thinks of a reply.' })
class MessageFeedbackType {
  @Field(() => ID) messageId!: string;
  @Field(() => FeedbackRatingEnum) rating!: 'up' | 'down';
  @Field(() => String, { nullable: true }) comment!: string | null;
  @Field(() => Date) createdAt!: Date;
}

@ObjectType({ description: 'A conversation’s messages after its branch was changed.' })
class ActivatedBranch {
  @Field(() => ID) conversationId!: string;
  @Field(() => [MessageType], { description: 'The latest 50 messages of the branch, oldest first.' })
  messages!: MessageType[];
}

@InputType()
@Rules(editMessageInput)
class EditMessageInput {
  @Field(() => String, { description: '1 to 32,000 characters after trimming.' }) content!: string;
}

@InputType()
@Rules(feedbackInput)
class FeedbackInput {
  @Field(() => FeedbackRatingEnum) rating!: 'up' | 'down';
  @Field(() => String, { nullable: true, description: 'At most 2,000 characters.' }) comment?: string | null;
}

@Resolver(() => MessageType)
export class MessageBranchResolver {
  @Access('conversations:write')
  @Mutation(() => Exchange, {
    description: 'Writes a reply anew, as a branch beside the old one, and waits for it. Counts as a message.',
  })
  async regenerateMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID) conversationId: string,
    @Arg('messageId', () => ID) messageId: string,
  ): Promise<Exchange> {
    return exchangeOf(ctx, () =>
      regenerateMessage(ctx, conversationId, messageId, { idempotencyKey: ctx.idempotencyKey }),
    );
  }

  @Access('conversations:write')
  @Mutation(() => Exchange, {
    description: 'Sends another message in the place of one, as a branch beside it, and waits for the reply.',
  })
  async editMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID) conversationId: string,
    @Arg('messageId', () => ID) messageId: string,
    @Arg('input', () => EditMessageInput) { content }: EditMessageInput,
  ): Promise<Exchange> {
    return exchangeOf(ctx, () =>
      editMessage(ctx, conversationId, messageId, { content, idempotencyKey: ctx.idempotencyKey }),
    );
  }

  @Access('conversations:write')
  @Mutation(() => ActivatedBranch, { description: 'Makes the branch that a message is on the conversation.' })
  async activateMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID) conversationId: string,
    @Arg('messageId', () => ID) messageId: string,
  ): Promise<ActivatedBranch> {
    await activateMessage(ctx, conversationId, messageId);
    await getConversation(ctx, conversationId);
    return { conversationId, messages: (await latestMessagesOf(ctx, [conversationId])).map(toMessage) };
  }

  @Access('conversations:write')
  @Mutation(() => MessageFeedbackType, { description: 'Rates a reply; a later word replaces an earlier one.' })
  giveFeedback(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID) conversationId: string,
    @Arg('messageId', () => ID) messageId: string,
    @Arg('input', () => FeedbackInput) { rating, comment }: FeedbackInput,
  ): Promise<MessageFeedbackType> {
    return giveFeedback(ctx, conversationId, messageId, { rating, comment });
  }

  @GraphqlOnly()
  @FieldResolver(() => [ID], { description: 'Ids of the branches at this message, itself included, oldest first.' })
  branchIds(@Root() message: MessageType, @Ctx() ctx: GraphqlContext): Promise<string[]> {
    return ctx.loaders.branchIds.load(message.id);
  }

  @GraphqlOnly()
  @FieldResolver(() => MessageFeedbackType, { nullable: true, description: 'The user’s feedback, if any.' })
  feedback(@Root() message: MessageType, @Ctx() ctx: GraphqlContext): Promise<MessageFeedbackType | null> {
    return ctx.loaders.feedback.load(message.id);
  }
}
