import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Conversation } from '../src/conversations/conversation.entity.ts';
import {
  createConversation,
  deleteConversation,
  getConversation,
  listConversations,
  renameConversation,
} from '../src/conversations/conversations.ts';
import { stopGeneration } from '../src/conversations/stop-generation.ts';
import { createConversationInput, renameConversationInput } from '../src/conversations/conversation.input.ts';
import { AgentType, toAgent } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { AfterArg, IsCounted, PageInfo } from './page-info.ts';
import { Access, GraphqlOnly, Rules } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { MessageType, toMessage } from './messages.ts';

@ObjectType('Conversation', { description: 'What a user and an agent said to each other.' })
class ConversationType {
  @Field(() => ID) id!: string;
  @Field(() => ID) agentId!: string;
  @Field(() => String, { nullable: true, description: 'Written after the first exchange when not given.' }) title!:
    | string
    | null;
  @Field(() => Int, { description: 'Stored messages, greetings included.' }) messageCount!: number;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date) updatedAt!: Date;
}

@ObjectType({ description: 'One page of conversations.' })
class ConversationList {
  @Field(() => [ConversationType]) data!: ConversationType[];
  @Field(() => Boolean) hasMore!: boolean;
  @Field(() => Int, { description: 'Conversations in the whole list.' }) total!: number | null;
  @GraphqlOnly()
  @Field(() => PageInfo, { description: 'Where to go on.' })
  pageInfo!: PageInfo;
}

@ObjectType({ description: 'What stopping did.' })
class StoppedGeneration {
  @Field(() => Boolean, { description: 'false when nothing was being written.' }) stopped!: boolean;
  @Field(() => ID, { nullable: true, description: 'The stored reply as far as it was written.' }) messageId!:
    | string
    | null;
}

@InputType()
@Rules(createConversationInput)
class CreateConversationInput {
  @Field(() => ID) agentId!: string;
  @Field(() => String, { nullable: true, description: '1 to 200 characters; generated when omitted.' }) title?:
    | string
    | null;
}

@InputType()
@Rules(renameConversationInput)
class UpdateConversationInput {
  @Field(() => String, { description: '1 to 200 characters.' }) title!: string;
}

const toConversation = (conversation: Conversation): ConversationType => ({
  id: conversation.id,
  agentId: conversation.agentId,
  title: conversation.title ?? null,
  messageCount: conversation.messageCount,
  createdAt: conversation.createdAt,
  updatedAt: conversation.updatedAt,
});

@Resolver(() => ConversationType)
export class ConversationResolver {
  @Access('conversations:write')
  @Mutation(() => ConversationType, { description: 'Starts a conversation with an agent.' })
  async createConversation(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => CreateConversationInput) input: CreateConversationInput,
  ): Promise<ConversationType> {
    return toConversation(await createConversation(ctx, input));
  }

  @Access('conversations:read')
  @Query(() => ConversationList, { description: 'The caller’s conversations, last used first.' })
  async conversations(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { nullable: true, description: 'Only those with this agent.' }) agentId?: string,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100, default 20.' }) limit?: number,
    @Arg('offset', () => Int, { nullable: true, description: 'Default 0.' }) offset?: number,
    @AfterArg() after?: string,
    @IsCounted() counted?: boolean,
  ): Promise<ConversationList> {
    const page = await listConversations(ctx, { agentId, limit, offset, after, counted });
    return { ...page, data: page.data.map(toConversation), hasMore: page.pageInfo.hasNextPage };
  }

  @Access('conversations:read')
  @Query(() => ConversationType, { description: 'One of the caller’s conversations.' })
  async conversation(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<ConversationType> {
    return toConversation(await getConversation(ctx, id));
  }

  @Access('conversations:write')
  @Mutation(() => ConversationType, { description: 'Sets the title of a conversation.' })
  async updateConversation(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateConversationInput) input: UpdateConversationInput,
  ): Promise<ConversationType> {
    return toConversation(await renameConversation(ctx, id, input));
  }

  @Access('conversations:write')
  @Mutation(() => Deletion, { description: 'Deletes a conversation and its messages for good.' })
  deleteConversation(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<Deletion> {
    return deleteConversation(ctx, id);
  }

  @Access('conversations:write')
  @Mutation(() => StoppedGeneration, {
    description: 'Ends the reply that is being written; what was written is stored.',
  })
  stopGeneration(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID) conversationId: string,
  ): Promise<StoppedGeneration> {
    return stopGeneration(ctx, conversationId);
  }

  @FieldResolver(() => [MessageType], { description: 'The latest 50 messages, oldest first.' })
  async messages(@Root() conversation: ConversationType, @Ctx() ctx: GraphqlContext): Promise<MessageType[]> {
    return (await ctx.loaders.latestMessages.load(conversation.id)).map(toMessage);
  }

  @GraphqlOnly()
  @FieldResolver(() => AgentType, { nullable: true, description: 'null when the agent is private now.' })
  async agent(@Root() conversation: ConversationType, @Ctx() ctx: GraphqlContext): Promise<AgentType | null> {
    const agent = await ctx.loaders.agent.load(conversation.agentId);
    return agent && toAgent(agent, ctx.actor);
  }
}
