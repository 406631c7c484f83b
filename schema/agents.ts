import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Agent } from '../src/agents/agent.entity.ts';
import type { AgentCategory, AgentSort, ExploreSort } from '../src/agents/agent.input.ts';
import { ownsAgent } from '../src/agents/agent.policy.ts';
import { createAgent, deleteAgent, getAgent, listAgents, updateAgent } from '../src/agents/agents.ts';
import { exploreAgents } from '../src/agents/explore.ts';
import type { Actor } from '../src/core/actor.ts';
import type { ModelId } from '../src/core/models.ts';
import type { Page } from '../src/core/pagination.ts';
import type { VoiceId } from '../src/core/voices.ts';
import { createAgentInput, updateAgentInput } from '../src/agents/agent.input.ts';
import type { GraphqlContext } from './context.ts';
import { AfterArg, IsCounted, PageInfo } from './page-info.ts';
import { AbsentWhenNull, Access, GraphqlOnly, Rules } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { AgentCategoryEnum, AgentSortEnum, ExploreSortEnum, ModelIdEnum, VoiceIdEnum } from './enums.ts';

@ObjectType('Agent', { description: 'An AI personality.' })
export class AgentType {
  @Field(() => ID) id!: string;
  @Field(() => String) name!: string;
  @Field(() => String, { nullable: true }) description!: string | null;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'The system prompt; only its owner sees it.' })
  instructions!: string | null;
  @Field(() => ModelIdEnum) model!: ModelId;
  @Field(() => String, { nullable: true }) avatarUrl!: string | null;
  @Field(() => Boolean, { description: 'Whether everybody can find it and talk to it.' }) isPublic!: boolean;
  @Field(() => AgentCategoryEnum, { nullable: true }) category!: AgentCategory | null;
  @Field(() => String, { nullable: true, description: 'First message of a new conversation; generated when null.' })
  greetingMessage!: string | null;
  @Field(() => VoiceIdEnum, { nullable: true }) voiceId!: VoiceId | null;
  @Field(() => Int, { description: 'Messages in all its conversations, ever.' }) messageCount!: number;
  @Field(() => ID, { description: 'The owner’s user id.' }) creatorId!: string;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date) updatedAt!: Date;
}

@ObjectType({ description: 'One page of agents.' })
class AgentList {
  @Field(() => [AgentType]) data!: AgentType[];
  @Field(() => Int, { description: 'Agents in the whole list; of all public ones an estimate beyond 10,000.' })
  total!: number | null;
  @Field(() => Int) limit!: number;
  @Field(() => Int) offset!: number;
  @GraphqlOnly()
  @Field(() => PageInfo, { description: 'Where to go on.' })
  pageInfo!: PageInfo;
}

@InputType()
@Rules(createAgentInput)
class CreateAgentInput {
  @Field(() => String, { description: '1 to 80 characters.' }) name!: string;
  @Field(() => String, { description: 'The system prompt, 1 to 32,000 characters; Markdown allowed.' })
  instructions!: string;
  @Field(() => String, { nullable: true, description: 'At most 300 characters.' }) description?: string | null;
  @Field(() => ModelIdEnum, { nullable: true, description: '`default` when omitted.' }) model?: ModelId;
  @Field(() => String, { nullable: true, description: 'URL of a square image, 256x256 or larger.' }) avatarUrl?:
    | string
    | null;
  @Field(() => Boolean, { nullable: true, description: 'false when omitted.' }) isPublic?: boolean;
  @Field(() => AgentCategoryEnum, { nullable: true }) category?: AgentCategory | null;
  @Field(() => String, { nullable: true, description: 'At most 2,000 characters; generated when omitted.' })
  greetingMessage?: string | null;
  @Field(() => VoiceIdEnum, { nullable: true }) voiceId?: VoiceId | null;
}

@InputType({ description: 'Only the fields present change; null clears one that may be null.' })
@Rules(updateAgentInput)
class UpdateAgentInput {
  @Field(() => String, { nullable: true, description: '1 to 80 characters.' }) name?: string;
  @Field(() => String, { nullable: true, description: '1 to 32,000 characters.' }) instructions?: string;
  @Field(() => String, { nullable: true, description: 'At most 300 characters.' }) description?: string | null;
  @Field(() => ModelIdEnum, { nullable: true }) model?: ModelId;
  @Field(() => String, { nullable: true }) avatarUrl?: string | null;
  @Field(() => Boolean, { nullable: true }) isPublic?: boolean;
  @Field(() => AgentCategoryEnum, { nullable: true }) category?: AgentCategory | null;
  @Field(() => String, { nullable: true, description: 'At most 2,000 characters.' }) greetingMessage?: string | null;
  @Field(() => VoiceIdEnum, { nullable: true }) voiceId?: VoiceId | null;
}

/** An agent as this caller may see it. */
export const toAgent = (agent: Agent, actor: Actor): AgentType => ({
  id: agent.id,
  name: agent.name,
  description: agent.description ?? null,
  instructions: ownsAgent(actor, agent) ? agent.instructions : null,
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

const toAgentList = (page: Page<Agent>, actor: Actor): AgentList => ({
  ...page,
  data: page.data.map((agent) => toAgent(agent, actor)),
});

@Resolver()
export class AgentResolver {
  @Access('agents:write')
  @Mutation(() => AgentType, { description: 'Makes an agent.' })
  async createAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => CreateAgentInput) input: CreateAgentInput,
  ): Promise<AgentType> {
    return toAgent(await createAgent(ctx, input), ctx.actor);
  }

  @Access('agents:read')
  @Query(() => AgentList, { description: 'The caller’s own agents.' })
  async agents(
    @Ctx() ctx: GraphqlContext,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100, default 20.' }) limit?: number,
    @Arg('offset', () => Int, { nullable: true, description: 'Default 0.' }) offset?: number,
    @Arg('sort', () => AgentSortEnum, { nullable: true, description: 'Default CREATED_AT.' }) sort?: AgentSort,
    @AfterArg() after?: string,
    @IsCounted() counted?: boolean,
  ): Promise<AgentList> {
    return toAgentList(await listAgents(ctx, { limit, offset, sort, after, counted }), ctx.actor);
  }

  @Access('agents:read')
  @Query(() => AgentType, { description: 'An agent of the caller, or a public one.' })
  async agent(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<AgentType> {
    return toAgent(await getAgent(ctx, id), ctx.actor);
  }

  @Access('agents:write')
  @Mutation(() => AgentType, { description: 'Changes an agent.' })
  async updateAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateAgentInput) input: UpdateAgentInput,
  ): Promise<AgentType> {
    return toAgent(await updateAgent(ctx, id, input), ctx.actor);
  }

  @Access('agents:write')
  @Mutation(() => Deletion, { description: 'Deletes an agent and all its conversations for good.' })
  deleteAgent(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<Deletion> {
    return deleteAgent(ctx, id);
  }

  @Access('agents:read')
  @Query(() => AgentList, { description: 'Public agents.' })
  async exploreAgents(
    @Ctx() ctx: GraphqlContext,
    @Arg('category', () => AgentCategoryEnum, { nullable: true }) category?: AgentCategory,
    @Arg('sort', () => ExploreSortEnum, { nullable: true, description: 'Default POPULAR.' }) sort?: ExploreSort,
    @Arg('q', () => String, { nullable: true, description: 'Words to find in name and description.' }) q?: string,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100, default 20.' }) limit?: number,
    @Arg('offset', () => Int, { nullable: true, description: 'Default 0.' }) offset?: number,
    @AfterArg() after?: string,
    @IsCounted() counted?: boolean,
  ): Promise<AgentList> {
    return toAgentList(await exploreAgents(ctx, { category, sort, q, limit, offset, after, counted }), ctx.actor);
  }
}
