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
import type { VersionOrigin } from '../src/agents/agent-version.entity.ts';
import type { ModelId } from '../src/agents/models.ts';
import type { VoiceId } from '../src/agents/voices.ts';
import { createVersion, publishVersion } from '../src/studio/change-versions.ts';
import { createVersionInput } from '../src/studio/version.input.ts';
import { getVersion, listVersions, type ShownVersion, type VersionChange } from '../src/studio/versions.ts';
import { AgentIdArg } from './agent-id-arg.ts';
import { AgentType } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, GraphqlOnly, ListSize, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { ModelIdEnum } from './models.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';
import { VoiceIdEnum } from './voice.ts';

const VersionOriginEnum = enumType<VersionOrigin>('VersionOrigin', 'Why a version of an agent exists.', {
  created: 'The agent began with it.',
  edit: 'The agent was changed.',
  draft: 'It was created to be tried out.',
  copy: 'The agent was copied from another one.',
  experiment: 'It was created for an experiment.',
});

@ObjectType('AgentVersionChange', { description: 'A field in which two versions differ.' })
class AgentVersionChange {
  @Field(() => String, { description: '`instructions`, `model`, `greeting_message` or `voice_id`.' }) field!: string;
  @Field(() => String, { nullable: true, description: 'Value in the version that is compared to.' })
  before!: string | null;
  @Field(() => String, { nullable: true, description: 'Value in this version.' }) after!: string | null;
}

@ObjectType('AgentVersion', { description: 'The behaviour of an agent at a time. It never changes.' })
export class AgentVersionType {
  @Field(() => ID, { description: 'Version ID (`ver_…`).' }) id!: string;
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => Int, { description: '1, 2, 3 … within the agent.' }) number!: number;
  @Field(() => String, { description: 'System prompt.' }) instructions!: string;
  @Field(() => ModelIdEnum, { description: 'Language model that writes the replies.' }) model!: ModelId;
  @Field(() => String, { nullable: true, description: 'First message of every new conversation; generated when null.' })
  greetingMessage!: string | null;
  @Field(() => VoiceIdEnum, { nullable: true, description: 'Voice of the agent; null for the default voice.' })
  voiceId!: VoiceId | null;
  @Field(() => String, { nullable: true, description: 'Note of the owner.' }) note!: string | null;
  @Field(() => VersionOriginEnum, { description: 'Why it exists.' }) origin!: VersionOrigin;
  @Field(() => Boolean, { description: 'Whether it answers now. Exactly one version of an agent does.' })
  isLive!: boolean;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When it was last made live; null for a draft.' })
  publishedAt!: Date | null;
  @AbsentWhenNull()
  @ListSize(4)
  @Field(() => [AgentVersionChange], {
    nullable: true,
    description: 'Differences to the version that is named by `compare_to`.',
  })
  changes!: VersionChange[] | null;
}

@ObjectType({ description: 'A page of versions, newest first.' })
class AgentVersionList extends pageOf('versions', AgentVersionType) {}

@InputType({ description: 'A draft. Omitted behaviour is that of the live version; null clears a nullable field.' })
@Rules(createVersionInput)
class CreateAgentVersionInput {
  @Field(() => String, { nullable: true, description: 'System prompt, 1 to 32,000 characters.' }) instructions?: string;
  @Field(() => ModelIdEnum, { nullable: true, description: 'Language model that writes the replies.' }) model?: ModelId;
  @Field(() => String, { nullable: true, description: 'First message of every new conversation.' }) greetingMessage?:
    | string
    | null;
  @Field(() => VoiceIdEnum, { nullable: true, description: 'Voice that speaks the agent’s messages.' })
  voiceId?: VoiceId | null;
  @Field(() => String, { nullable: true, description: 'Note for yourself, at most 300 characters.' }) note?:
    | string
    | null;
}

const toVersion = (version: ShownVersion & { changes?: VersionChange[] | null }): AgentVersionType => ({
  id: version.id,
  agentId: version.agentId,
  number: version.number,
  instructions: version.instructions,
  model: version.model,
  greetingMessage: version.greetingMessage ?? null,
  voiceId: version.voiceId ?? null,
  note: version.note ?? null,
  origin: version.origin,
  isLive: version.isLive,
  createdAt: version.createdAt,
  publishedAt: version.publishedAt ?? null,
  changes: version.changes ?? null,
});

const VersionIdArg = (): ParameterDecorator =>
  Arg('versionId', () => ID, { description: 'Version ID.' }) as ParameterDecorator;

@Resolver()
export class VersionResolver {
  @Access('studio:read')
  @Query(() => AgentVersionList, { description: 'Lists the versions of one of the caller’s agents, newest first.' })
  async agentVersions(
    @Ctx() ctx: GraphqlContext,
    @AgentIdArg() agentId: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<AgentVersionList> {
    const page = await listVersions(ctx, agentId, { ...paging, counted });
    ctx.budget.spend(...page.data.map(({ instructions }) => instructions));
    return { ...page, data: page.data.map(toVersion) };
  }

  @Access('studio:read')
  @Query(() => AgentVersionType, { description: 'Returns a version of one of the caller’s agents.' })
  async agentVersion(
    @Ctx() ctx: GraphqlContext,
    @AgentIdArg() agentId: string,
    @VersionIdArg() versionId: string,
    @Arg('compareTo', () => ID, {
      nullable: true,
      description: 'Another version of the agent; `changes` then lists the differences from it.',
    })
    compareTo?: string,
  ): Promise<AgentVersionType> {
    return toVersion(await getVersion(ctx, agentId, versionId, compareTo));
  }

  @Access('studio:write')
  @Mutation(() => AgentVersionType, {
    description: 'Creates a draft of an agent’s behaviour, which only pinned conversations of the owner use.',
  })
  async createAgentVersion(
    @Ctx() ctx: GraphqlContext,
    @AgentIdArg() agentId: string,
    @Arg('input', () => CreateAgentVersionInput) input: CreateAgentVersionInput,
  ): Promise<AgentVersionType> {
    return toVersion(await createVersion(ctx, agentId, input));
  }

  @Access('studio:write')
  @Mutation(() => AgentVersionType, {
    description: 'Makes a version live: publishes a draft or restores an earlier version. Also needs `agents:write`.',
  })
  async publishAgentVersion(
    @Ctx() ctx: GraphqlContext,
    @AgentIdArg() agentId: string,
    @VersionIdArg() versionId: string,
  ): Promise<AgentVersionType> {
    return toVersion(await publishVersion(ctx, agentId, versionId));
  }
}

@Resolver(() => AgentType)
export class AgentVersionOfAgentResolver {
  @GraphqlOnly()
  @FieldResolver(() => AgentVersionType, {
    nullable: true,
    description: 'The version that answers. Only the owner sees it.',
  })
  async liveVersion(@Root() agent: AgentType, @Ctx() ctx: GraphqlContext): Promise<AgentVersionType | null> {
    const version = await ctx.loaders.liveVersion.load(agent.id);
    ctx.budget.spend(version?.instructions);
    return version && toVersion(version);
  }
}
