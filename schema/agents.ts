import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Agent } from '../src/agents/agent.entity.ts';
import type { AgentCategory, AgentSort, ExploreSort } from '../src/agents/agent.input.ts';
import { createAgent, deleteAgent, getAgent, listAgents } from '../src/agents/agents.ts';
import { updateAgent } from '../src/agents/update-agent.ts';
import { exploreAgents } from '../src/agents/explore.ts';
import { type Actor, owns } from '../src/core/actor.ts';
import type { ModelId } from '../src/agents/models.ts';
import type { Page } from '../src/core/pagination.ts';
import type { VoiceId } from '../src/agents/voices.ts';
import { createAgentInput, updateAgentInput } from '../src/agents/agent.input.ts';
import type { GraphqlContext } from './context.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';
import { AbsentWhenNull, Access, Rules } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { enumType } from './enum-type.ts';
import { ModelIdEnum } from './models.ts';
import { VoiceIdEnum } from './voice.ts';

export const AgentCategoryEnum = enumType<AgentCategory>('AgentCategory', 'Purpose of an agent.', {
  assistant: 'Helps with everyday tasks.',
  tutor: 'Teaches a subject.',
  character: 'Plays a fictional character.',
  coach: 'Helps to reach a goal.',
  companion: 'A companion to talk to.',
  creative: 'Creative writing.',
  developer: 'Helps with programming.',
  other: 'Anything else.',
});

const AgentSortEnum = enumType<AgentSort>('AgentSort', 'Order of the caller’s agents.', {
  created_at: 'Newest first.',
  updated_at: 'Last changed first.',
  name: 'By name, A to Z.',
});

const ExploreSortEnum = enumType<ExploreSort>('ExploreSort', 'Order of public agents.', {
  popular: 'Most messages in total first.',
  trending: 'Agents with the most active users in recent days first.',
  recent: 'Newest first.',
});

@ObjectType('Agent', { description: 'An AI agent: a name, instructions, a model and a voice.' })
export class AgentType {
  @Field(() => ID, { description: 'Agent ID (a UUID).' }) id!: string;
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Short description, shown in lists and search results.' })
  description!: string | null;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'System prompt; visible only to the owner.' })
  instructions!: string | null;
  @Field(() => ModelIdEnum, { description: 'Language model that writes the replies.' }) model!: ModelId;
  @Field(() => String, { nullable: true, description: 'URL of a square image.' }) avatarUrl!: string | null;
  @Field(() => Boolean, { description: 'Whether other users can find the agent and chat with it.' }) isPublic!: boolean;
  @Field(() => AgentCategoryEnum, { nullable: true, description: 'Category of the agent, by which users can find it.' })
  category!: AgentCategory | null;
  @Field(() => String, { nullable: true, description: 'First message of every new conversation; generated when null.' })
  greetingMessage!: string | null;
  @Field(() => VoiceIdEnum, {
    nullable: true,
    description: 'Voice that speaks the agent’s messages; null for the default voice.',
  })
  voiceId!: VoiceId | null;
  @Field(() => Int, { description: 'Number of messages ever stored in all conversations with the agent.' })
  messageCount!: number;
  @Field(() => ID, { description: 'User ID of the owner (`usr_…`).' }) creatorId!: string;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, { description: 'Time of the last change.' }) updatedAt!: Date;
}

@ObjectType({ description: 'A page of agents.' })
export class AgentList extends pageOf(
  'agents',
  AgentType,
  'Number of agents in the whole list; for public agents an estimate above 10,000.',
) {}

@InputType({ description: 'The fields of a new agent.' })
@Rules(createAgentInput)
export class CreateAgentInput {
  @Field(() => String, { description: 'Display name, 1 to 80 characters.' }) name!: string;
  @Field(() => String, { description: 'System prompt, 1 to 32,000 characters. Markdown is allowed.' })
  instructions!: string;
  @Field(() => String, { nullable: true, description: 'Short description, at most 300 characters.' }) description?:
    | string
    | null;
  @Field(() => ModelIdEnum, {
    nullable: true,
    description: 'Language model that writes the replies. Defaults to `default`.',
  })
  model?: ModelId;
  @Field(() => String, { nullable: true, description: 'URL of a square image, 256×256 pixels or larger.' }) avatarUrl?:
    | string
    | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether other users can find the agent and chat with it. Defaults to false.',
  })
  isPublic?: boolean;
  @Field(() => AgentCategoryEnum, { nullable: true, description: 'Category of the agent, by which users can find it.' })
  category?: AgentCategory | null;
  @Field(() => String, {
    nullable: true,
    description: 'First message of every new conversation, at most 2,000 characters; generated when omitted.',
  })
  greetingMessage?: string | null;
  @Field(() => VoiceIdEnum, { nullable: true, description: 'Voice that speaks the agent’s messages.' })
  voiceId?: VoiceId | null;
}

@InputType({ description: 'Changes to an agent. Omitted fields keep their value; null clears a nullable field.' })
@Rules(updateAgentInput)
class UpdateAgentInput {
  @Field(() => String, { nullable: true, description: 'Display name, 1 to 80 characters.' }) name?: string;
  @Field(() => String, { nullable: true, description: 'System prompt, 1 to 32,000 characters.' }) instructions?: string;
  @Field(() => String, { nullable: true, description: 'Short description, at most 300 characters.' }) description?:
    | string
    | null;
  @Field(() => ModelIdEnum, { nullable: true, description: 'Language model that writes the replies.' }) model?: ModelId;
  @Field(() => String, { nullable: true, description: 'URL of a square image, 256×256 pixels or larger.' }) avatarUrl?:
    | string
    | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether other users can find the agent and chat with it.' })
  isPublic?: boolean;
  @Field(() => AgentCategoryEnum, { nullable: true, description: 'Category of the agent, by which users can find it.' })
  category?: AgentCategory | null;
  @Field(() => String, {
    nullable: true,
    description: 'First message of every new conversation, at most 2,000 characters.',
  })
  greetingMessage?: string | null;
  @Field(() => VoiceIdEnum, { nullable: true, description: 'Voice that speaks the agent’s messages.' })
  voiceId?: VoiceId | null;
}

/** Converts an agent to its GraphQL type, with the fields that the caller may see. */
export const toAgent = (agent: Agent, actor: Actor): AgentType => ({
  id: agent.id,
  name: agent.name,
  description: agent.description ?? null,
  instructions: owns(actor, agent.ownerId) ? agent.instructions : null,
  model: agent.model,
  avatarUrl: agent.avatarUrl ?? null,
  isPublic: agent.isPublic,
  category: agent.category ?? null,
  greetingMessage: agent.greetingMessage ?? null,
  voiceId: agent.voiceId ?? null,
  messageCount: agent.messageCount,
  creatorId: agent.ownerId,
  createdAt: agent.createdAt,
  updatedAt: agent.updatedAt,
});

export const toAgentList = (page: Page<Agent>, actor: Actor): AgentList => ({
  ...page,
  data: page.data.map((agent) => toAgent(agent, actor)),
});

@Resolver()
export class AgentResolver {
  @Access('agents:write')
  @Mutation(() => AgentType, { description: 'Creates an agent.' })
  async createAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => CreateAgentInput) input: CreateAgentInput,
  ): Promise<AgentType> {
    return toAgent(await createAgent(ctx, input), ctx.actor);
  }

  @Access('agents:read')
  @Query(() => AgentList, { description: 'Lists the caller’s agents.' })
  async agents(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
    @Arg('sort', () => AgentSortEnum, { nullable: true, description: 'Sort order. Defaults to CREATED_AT.' })
    sort?: AgentSort,
  ): Promise<AgentList> {
    const page = await listAgents(ctx, { sort, ...paging, counted });
    ctx.budget.spend(...page.data.map(({ instructions }) => instructions));
    return toAgentList(page, ctx.actor);
  }

  @Access('agents:read')
  @Query(() => AgentType, { description: 'Returns one of the caller’s agents or a public agent.' })
  async agent(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Agent ID.' }) id: string,
  ): Promise<AgentType> {
    return toAgent(await getAgent(ctx, id), ctx.actor);
  }

  @Access('agents:write')
  @Mutation(() => AgentType, { description: 'Updates an agent.' })
  async updateAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Agent ID.' }) id: string,
    @Arg('input', () => UpdateAgentInput) input: UpdateAgentInput,
  ): Promise<AgentType> {
    return toAgent(await updateAgent(ctx, id, input), ctx.actor);
  }

  @Access('agents:write')
  @Mutation(() => Deletion, {
    description: 'Permanently deletes an agent with its conversations, documents and integrations.',
  })
  deleteAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Agent ID.' }) id: string,
  ): Promise<Deletion> {
    return deleteAgent(ctx, id);
  }

  @Access('agents:read')
  @Query(() => AgentList, { description: 'Lists public agents.' })
  async exploreAgents(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
    @Arg('category', () => AgentCategoryEnum, { nullable: true, description: 'Only agents of this category.' })
    category?: AgentCategory,
    @Arg('sort', () => ExploreSortEnum, { nullable: true, description: 'Sort order. Defaults to POPULAR.' })
    sort?: ExploreSort,
    @Arg('q', () => String, { nullable: true, description: 'Search text for name and description.' }) q?: string,
  ): Promise<AgentList> {
    return toAgentList(await exploreAgents(ctx, { category, sort, q, ...paging, counted }), ctx.actor);
  }
}
