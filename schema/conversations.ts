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
  updateConversation,
} from '../src/conversations/conversations.ts';
import { stopGeneration } from '../src/conversations/generations/stop-generation.ts';
import {
  type ConversationFilter,
  createConversationInput,
  updateConversationInput,
} from '../src/conversations/conversation.input.ts';
import { AgentType, toAgent } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { IsCounted, PageInfo, type Paging, PagingArgs } from './page-info.ts';
import { AbsentWhenNull, Access, GraphqlOnly, ListSize, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { Deletion } from './deletion.ts';
import { MessageType, toMessage } from './messages.ts';

@ObjectType('Conversation', { description: 'A conversation between a user and an agent.' })
export class ConversationType {
  @Field(() => ID, { description: 'Conversation ID (`conv_…`).' }) id!: string;
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Title; generated after the first exchange if none was given, null until then.',
  })
  title!: string | null;
  @Field(() => Int, { description: 'Number of stored messages, including greetings.' }) messageCount!: number;
  @GraphqlOnly()
  @Field(() => ID, {
    nullable: true,
    description: 'Version to which the conversation is pinned; null if it uses the live one.',
  })
  versionId!: string | null;
  @AbsentWhenNull()
  @Field(() => Date, { nullable: true, description: 'Time when it was pinned; null if it is not pinned.' })
  pinnedAt!: Date | null;
  @AbsentWhenNull()
  @Field(() => Date, { nullable: true, description: 'Time when it was archived; null if it is not archived.' })
  archivedAt!: Date | null;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, { description: 'Time of the last change or message.' }) updatedAt!: Date;
}

@ObjectType({ description: 'A page of conversations.' })
class ConversationList {
  @Field(() => [ConversationType], { description: 'Conversations on this page.' }) data!: ConversationType[];
  @Field(() => Boolean, { description: 'Whether more items follow this page.' }) hasMore!: boolean;
  @Field(() => Int, { description: 'Number of conversations in the whole list.' }) total!: number | null;
  @GraphqlOnly()
  @Field(() => PageInfo, { description: 'Cursors and whether there is a next page.' })
  pageInfo!: PageInfo;
}

@ObjectType({ description: 'The result of stopping a reply.' })
class StoppedGeneration {
  @Field(() => Boolean, { description: 'Whether a reply was being written.' }) stopped!: boolean;
  @Field(() => ID, { nullable: true, description: 'ID of the stored partial reply; null if nothing was written.' })
  messageId!: string | null;
}

@InputType({ description: 'The agent of a new conversation.' })
@Rules(createConversationInput)
class CreateConversationInput {
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Title, 1 to 200 characters; generated after the first exchange when omitted.',
  })
  title?: string | null;
  @Field(() => ID, {
    nullable: true,
    description: 'Version of the agent to test in this conversation. Only for the agent’s owner.',
  })
  versionId?: string | null;
}

const ConversationFilterEnum = enumType<ConversationFilter>(
  'ConversationFilter',
  'Filter for a list of conversations.',
  {
    open: 'Conversations that are not archived.',
    pinned: 'Conversations that are pinned and not archived.',
    archived: 'Archived conversations.',
  },
);

@InputType({ description: 'Changes to a conversation. Omitted fields keep their value; at least one is required.' })
@Rules(updateConversationInput)
class UpdateConversationInput {
  @Field(() => String, { nullable: true, description: 'Title, 1 to 200 characters; null clears it.' })
  title?: string | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether it is pinned.' }) pinned?: boolean;
  @Field(() => Boolean, { nullable: true, description: 'Whether it is archived.' }) archived?: boolean;
}

export const toConversation = (conversation: Conversation): ConversationType => ({
  id: conversation.id,
  agentId: conversation.agentId,
  title: conversation.title ?? null,
  messageCount: conversation.messageCount,
  pinnedAt: conversation.pinnedAt ?? null,
  archivedAt: conversation.archivedAt ?? null,
  versionId: conversation.versionId ?? null,
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
  @Query(() => ConversationList, { description: 'Lists the caller’s conversations, last used first.' })
  async conversations(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
    @Arg('agentId', () => ID, { nullable: true, description: 'Only conversations with this agent.' }) agentId?: string,
    @Arg('filter', () => ConversationFilterEnum, {
      nullable: true,
      description: 'Which conversations to list. Defaults to all.',
    })
    filter?: ConversationFilter,
  ): Promise<ConversationList> {
    const page = await listConversations(ctx, { agentId, filter, ...paging, counted });
    return { ...page, data: page.data.map(toConversation), hasMore: page.pageInfo.hasNextPage };
  }

  @Access('conversations:read')
  @Query(() => ConversationType, { description: 'Returns one of the caller’s conversations.' })
  async conversation(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Conversation ID.' }) id: string,
  ): Promise<ConversationType> {
    return toConversation(await getConversation(ctx, id));
  }

  @Access('conversations:write')
  @Mutation(() => ConversationType, { description: 'Renames, pins or archives a conversation.' })
  async updateConversation(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Conversation ID.' }) id: string,
    @Arg('input', () => UpdateConversationInput) input: UpdateConversationInput,
  ): Promise<ConversationType> {
    return toConversation(await updateConversation(ctx, id, input));
  }

  @Access('conversations:write')
  @Mutation(() => Deletion, { description: 'Permanently deletes a conversation and its messages.' })
  deleteConversation(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Conversation ID.' }) id: string,
  ): Promise<Deletion> {
    return deleteConversation(ctx, id);
  }

  @Access('conversations:write')
  @Mutation(() => StoppedGeneration, {
    description: 'Stops the reply in progress and stores the text written so far.',
  })
  stopGeneration(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) conversationId: string,
  ): Promise<StoppedGeneration> {
    return stopGeneration(ctx, conversationId);
  }

  @ListSize(50)
  @FieldResolver(() => [MessageType], { description: 'The latest 50 messages of the active branch, oldest first.' })
  async messages(@Root() conversation: ConversationType, @Ctx() ctx: GraphqlContext): Promise<MessageType[]> {
    return (await ctx.loaders.latestMessages.load(conversation.id)).map(toMessage);
  }

  @GraphqlOnly()
  @FieldResolver(() => AgentType, {
    nullable: true,
    description: 'The agent; null if it belongs to another user and is no longer public.',
  })
  async agent(@Root() conversation: ConversationType, @Ctx() ctx: GraphqlContext): Promise<AgentType | null> {
    const agent = await ctx.loaders.agent.load(conversation.agentId);
    return agent && toAgent(agent, ctx.actor);
  }
}
