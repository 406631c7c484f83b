import { Arg, Ctx, Field, Float, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { type AgentUse, getAccountAnalytics } from '../src/studio/analytics/account-analytics.ts';
import { type Analytics, getAgentAnalytics } from '../src/studio/analytics/analytics.ts';
import type { AnalyticsFormat, Breakdown, Granularity } from '../src/studio/analytics/analytics.input.ts';
import type { GraphqlContext } from './context.ts';
import { Access, ListSize } from './decorators.ts';
import { enumType } from './enum-type.ts';

const GranularityEnum = enumType<Granularity>('Granularity', 'Length of the buckets of a series.', {
  day: 'Days in UTC.',
  week: 'Weeks from Monday, in UTC.',
});

const BreakdownEnum = enumType<Breakdown>('Breakdown', 'What figures are broken down by.', {
  version: 'The version of the agent that answered.',
  source: 'Where the person came from.',
});

const AnalyticsFormatEnum = enumType<AnalyticsFormat>('AnalyticsFormat', 'Form of the REST response.', {
  json: 'Everything, as JSON.',
  csv: 'The series, as CSV.',
});

const count = (description: string): PropertyDecorator =>
  Field(() => Int, { nullable: true, description }) as PropertyDecorator;

@ObjectType()
abstract class CountersType {
  @count('Conversations in which a person wrote for the first time.') conversations!: number | null;
  @count('Messages of people.') messages!: number | null;
  @count('Replies.') replies!: number | null;
  @count('Attempts that ended without a reply.') failed!: number | null;
  @count('Replies that a person stopped.') stopped!: number | null;
  @count('Attempts to write another reply.') regenerated!: number | null;
  @count('Replies that are rated up.') thumbsUp!: number | null;
  @count('Replies that are rated down.') thumbsDown!: number | null;
  @count('Milliseconds to the first text of a reply that half of the replies did not exceed.')
  firstWordsMsP50!: number | null;
  @count('Milliseconds to the first text that 95 % did not exceed.') firstWordsMsP95!: number | null;
  @count('Milliseconds to the end of a reply that half of the replies did not exceed.') replyMsP50!: number | null;
  @count('Milliseconds to the end that 95 % did not exceed.') replyMsP95!: number | null;
  @Field(() => Float, { nullable: true, description: 'Tokens of prompts.' }) inputTokens!: number | null;
  @Field(() => Float, { nullable: true, description: 'Tokens of replies.' }) outputTokens!: number | null;
  @Field(() => Boolean, {
    description:
      'Whether something is withheld because it rests on fewer than five people or on a day that is not over.',
  })
  suppressed!: boolean;
}

@ObjectType()
abstract class PeopleType extends CountersType {
  @count('People who wrote. Of several agents together, a person counts once for each.') people!: number | null;
  @count('People who wrote for the first time.') newPeople!: number | null;
  @count('People who had written before.') returningPeople!: number | null;
  @count('Views of the listing, one a day and network, without the owner’s.') listingViews!: number | null;
  @count('Likes, less those that were taken back.') likes!: number | null;
}

@ObjectType({ description: 'Figures of the whole period. Null where they are withheld or not part of the plan.' })
class AnalyticsTotals extends PeopleType {
  @Field(() => Float, { nullable: true, description: 'Share of new people who came back the next day.' })
  retentionD1!: number | null;
  @Field(() => Float, { nullable: true, description: 'Share of new people who came back on the seventh day after.' })
  retentionD7!: number | null;
}

@ObjectType({ description: 'Figures of a day or week.' })
class AnalyticsBucket extends PeopleType {
  @Field(() => String, { description: 'First day, as `YYYY-MM-DD`.' }) date!: string;
}

@ObjectType({ description: 'Figures of a version or source.' })
class AnalyticsPart extends CountersType {
  @Field(() => ID, { nullable: true, description: 'The version; null by source, for the rest, and when it is gone.' })
  versionId!: string | null;
  @count('Number of the version; null by source and for the rest.') versionNumber!: number | null;
  @Field(() => String, {
    nullable: true,
    description: '`direct`, `integration`, `embed` or `room`; null by version and for the rest.',
  })
  source!: string | null;
  @Field(() => Boolean, { description: 'Whether it is the rest: what is too small to be shown by itself.' })
  isOther!: boolean;
}

@ObjectType()
abstract class AnalyticsBase {
  @Field(() => String, { description: 'First day, as `YYYY-MM-DD`.' }) from!: string;
  @Field(() => String, { description: 'Last day.' }) to!: string;
  @Field(() => GranularityEnum, { description: 'Length of the buckets.' }) granularity!: Granularity;
  @Field(() => AnalyticsTotals, { description: 'Figures of the whole period.' }) totals!: AnalyticsTotals;
  @ListSize(100)
  @Field(() => [AnalyticsBucket], { description: 'Figures by day or week.' })
  series!: AnalyticsBucket[];
  @Field(() => Date, { description: 'Everything that happened before this time is included.' }) completeUntil!: Date;
}

@ObjectType('AgentAnalytics', {
  description: 'How others use an agent. The owner’s own conversations are not counted.',
})
class AgentAnalyticsType extends AnalyticsBase {
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @ListSize(20)
  @Field(() => [AnalyticsPart], { description: 'Figures by version or source, if requested.' })
  breakdown!: AnalyticsPart[];
}

@ObjectType({ description: 'How much an agent is used.' })
class AgentUseType {
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => String, { description: 'Its name.' }) name!: string;
  @Field(() => Int, { description: 'Conversations of people.' }) conversations!: number;
  @Field(() => Int, { description: 'Messages of people.' }) messages!: number;
}

@ObjectType('StudioAnalytics', { description: 'How others use all agents of the account together.' })
class StudioAnalyticsType extends AnalyticsBase {
  @ListSize(20)
  @Field(() => [AgentUseType], { description: 'The 20 most used agents.' })
  agents!: AgentUse[];
}

const FromArg = (): ParameterDecorator =>
  Arg('from', () => String, {
    nullable: true,
    description: 'First day in UTC, as `YYYY-MM-DD`. Defaults to six days before the last.',
  }) as ParameterDecorator;
const ToArg = (): ParameterDecorator =>
  Arg('to', () => String, { nullable: true, description: 'Last day in UTC. Defaults to today.' }) as ParameterDecorator;
const GranularityArg = (): ParameterDecorator =>
  Arg('granularity', () => GranularityEnum, {
    nullable: true,
    description: 'Length of the buckets. Defaults to days.',
  }) as ParameterDecorator;
const FormatArg = (): ParameterDecorator =>
  Arg('format', () => AnalyticsFormatEnum, {
    nullable: true,
    description: 'Form of the REST response. Defaults to JSON. No meaning in GraphQL.',
  }) as ParameterDecorator;

@Resolver()
export class AnalyticsResolver {
  @Access('studio:read')
  @Query(() => AgentAnalyticsType, {
    description:
      'Returns how others use one of the caller’s agents. Figures of fewer than five people and of days that are not over are withheld.',
  })
  async agentAnalytics(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of one of your agents.' }) agentId: string,
    @FromArg() from?: string,
    @ToArg() to?: string,
    @GranularityArg() granularity?: Granularity,
    @Arg('by', () => BreakdownEnum, { nullable: true, description: 'Adds a breakdown. Paid plans only.' })
    by?: Breakdown,
    @FormatArg() format?: AnalyticsFormat,
  ): Promise<Analytics> {
    return getAgentAnalytics(ctx, agentId, { from, to, granularity, by, format });
  }

  @Access('studio:read')
  @Query(() => StudioAnalyticsType, {
    description: 'Returns how others use all of the caller’s agents together: the sum of what each shows.',
  })
  studioAnalytics(
    @Ctx() ctx: GraphqlContext,
    @FromArg() from?: string,
    @ToArg() to?: string,
    @GranularityArg() granularity?: Granularity,
    @FormatArg() format?: AnalyticsFormat,
  ): Promise<Analytics & { agents: AgentUse[] }> {
    return getAccountAnalytics(ctx, { from, to, granularity, format });
  }
}
