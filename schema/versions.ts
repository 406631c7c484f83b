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

const VersionOriginEnum = enumType<VersionOrigin>('VersionOrigin', 'Reason for the creation of a version.', {
  created: 'Created with the agent.',
  edit: 'Created by a change to the agent.',
  draft: 'Created as a draft.',
  copy: 'Created when the agent was copied.',
  experiment: 'Created for an experiment.',
});

@ObjectType('AgentVersionChange', { description: 'A field that differs between two versions.' })
class AgentVersionChange {
  @Field(() => String, { description: '`instructions`, `model`, `greeting_message` or `voice_id`.' }) field!: string;
  @Field(() => String, { nullable: true, description: 'Value in the version given in `compare_to`.' })
  before!: string | null;
  @Field(() => String, { nullable: true, description: 'Value in this version.' }) after!: string | null;
}

@ObjectType('AgentVersion', { description: 'An immutable snapshot of an agent’s behaviour.' })
export class AgentVersionType {
  @Field(() => ID, { description: 'Version ID (`ver_…`).' }) id!: string;
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => Int, { description: 'Consecutive number within the agent, starting at 1.' }) number!: number;
  @Field(() => String, { description: 'System prompt.' }) instructions!: string;
  @Field(() => ModelIdEnum, { description: 'Language model that writes the replies.' }) model!: ModelId;
  @Field(() => String, { nullable: true, description: 'First message of every new conversation; generated when null.' })
  greetingMessage!: string | null;
  @Field(() => VoiceIdEnum, { nullable: true, description: 'Voice of the agent; null for the default voice.' })
  voiceId!: VoiceId | null;
  @Field(() => String, { nullable: true, description: 'The owner’s note.' }) note!: string | null;
  @Field(() => VersionOriginEnum, { description: 'Reason for its creation.' }) origin!: VersionOrigin;
  @Field(() => Boolean, { description: 'Whether it is the live version. Each agent has exactly one.' })
  isLive!: boolean;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Time when it last became live; null for a draft.' })
  publishedAt!: Date | null;
  @AbsentWhenNull()
  @ListSize(4)
  @Field(() => [AgentVersionChange], {
    nullable: true,
    description: 'Differences from the version given in `compare_to`.',
  })
  changes!: VersionChange[] | null;
}

@ObjectType({ description: 'A page of versions, newest first.' })
class AgentVersionList extends pageOf('versions', AgentVersionType) {}

@InputType({
  description: 'A draft version. Omitted fields are copied from the live version; null clears a nullable field.',
})
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
      description: 'Another version of the agent to compare with; `changes` then lists the differences.',
    })
    compareTo?: string,
  ): Promise<AgentVersionType> {
    return toVersion(await getVersion(ctx, agentId, versionId, compareTo));
  }

  @Access('studio:write')
  @Mutation(() => AgentVersionType, {
    description: 'Creates a draft version of an agent. Only conversations that the owner pinned to it use it.',
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
    description: 'Makes a version live, to publish a draft or restore an earlier version. Also needs `agents:write`.',
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
    description: 'The live version; visible only to the owner.',
  })
  async liveVersion(@Root() agent: AgentType, @Ctx() ctx: GraphqlContext): Promise<AgentVersionType | null> {
    const version = await ctx.loaders.liveVersion.load(agent.id);
    ctx.budget.spend(version?.instructions);
    return version && toVersion(version);
  }
}
