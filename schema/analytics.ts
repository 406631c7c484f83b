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

const BreakdownEnum = enumType<Breakdown>('Breakdown', 'Dimension of a breakdown.', {
  version: 'Version of the agent that replied.',
  source: 'Source of the person.',
});

const AnalyticsFormatEnum = enumType<AnalyticsFormat>('AnalyticsFormat', 'Format of the REST response.', {
  json: 'All figures as JSON.',
  csv: 'The series as CSV, or the breakdown if `by` is given.',
});

const count = (description: string): PropertyDecorator =>
  Field(() => Int, { nullable: true, description }) as PropertyDecorator;

@ObjectType()
abstract class CountersType {
  @count('Conversations with their first message from a person.') conversations!: number | null;
  @count('Number of messages from people.') messages!: number | null;
  @count('Number of replies.') replies!: number | null;
  @count('Attempts that failed to produce a reply.') failed!: number | null;
  @count('Replies stopped by a person.') stopped!: number | null;
  @count('Attempts to regenerate a reply.') regenerated!: number | null;
  @count('Replies rated as helpful.') thumbsUp!: number | null;
  @count('Replies rated as not helpful.') thumbsDown!: number | null;
  @count('Median time to the first text of a reply, in milliseconds.')
  firstWordsMsP50!: number | null;
  @count('95th percentile of the time to the first text of a reply, in milliseconds.') firstWordsMsP95!: number | null;
  @count('Median time to the end of a reply, in milliseconds.') replyMsP50!: number | null;
  @count('95th percentile of the time to the end of a reply, in milliseconds.') replyMsP95!: number | null;
  @Field(() => Float, { nullable: true, description: 'Prompt tokens.' }) inputTokens!: number | null;
  @Field(() => Float, { nullable: true, description: 'Reply tokens.' }) outputTokens!: number | null;
  @Field(() => Boolean, {
    description: 'Whether figures are withheld because they cover fewer than five people or a day that is not over.',
  })
  suppressed!: boolean;
}

@ObjectType()
abstract class PeopleType extends CountersType {
  @count('People who wrote. Across several agents, a person counts once for each.') people!: number | null;
  @count('People who wrote to the agent for the first time.') newPeople!: number | null;
  @count('People who had written to the agent before.') returningPeople!: number | null;
  @count('Views of the listing, one per network and day, excluding the owner’s.') listingViews!: number | null;
  @count('New likes minus removed likes.') likes!: number | null;
}

@ObjectType({ description: 'Figures for the whole period; null if withheld or not included in the plan.' })
class AnalyticsTotals extends PeopleType {
  @Field(() => Float, { nullable: true, description: 'Share of new people who returned the next day.' })
  retentionD1!: number | null;
  @Field(() => Float, { nullable: true, description: 'Share of new people who returned on the seventh day.' })
  retentionD7!: number | null;
}

@ObjectType({ description: 'Figures for a day or week.' })
class AnalyticsBucket extends PeopleType {
  @Field(() => String, { description: 'First day, as `YYYY-MM-DD`.' }) date!: string;
}

@ObjectType({ description: 'Figures for a version or source.' })
class AnalyticsPart extends CountersType {
  @Field(() => ID, {
    nullable: true,
    description:
      'The version; null in a breakdown by source or across several agents, for the combined rest, and when it was removed.',
  })
  versionId!: string | null;
  @count(
    'Number of the version; null by source and for the combined rest. Across several agents, an item has the figures of all versions with this number.',
  )
  versionNumber!: number | null;
  @Field(() => String, {
    nullable: true,
    description:
      '`direct`, `integration`, `embed` or `room`; null in a breakdown by version and for the combined rest.',
  })
  source!: string | null;
  @Field(() => Boolean, { description: 'Whether it combines the groups that are too small to be shown separately.' })
  isOther!: boolean;
}

@ObjectType()
abstract class AnalyticsBase {
  @Field(() => String, { description: 'First day, as `YYYY-MM-DD`.' }) from!: string;
  @Field(() => String, { description: 'Last day, as `YYYY-MM-DD`.' }) to!: string;
  @Field(() => GranularityEnum, { description: 'Length of the buckets.' }) granularity!: Granularity;
  @Field(() => AnalyticsTotals, { description: 'Figures for the whole period.' }) totals!: AnalyticsTotals;
  @ListSize(100)
  @Field(() => [AnalyticsBucket], { description: 'Figures by day or week.' })
  series!: AnalyticsBucket[];
  @ListSize(20)
  @Field(() => [AnalyticsPart], { description: 'Figures broken down by version or source, if requested.' })
  breakdown!: AnalyticsPart[];
  @Field(() => Date, { description: 'Everything before this time is included.' }) completeUntil!: Date;
}

@ObjectType('AgentAnalytics', {
  description: 'Usage of an agent by other people. The owner’s own conversations are not counted.',
})
class AgentAnalyticsType extends AnalyticsBase {
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
}

@ObjectType({ description: 'Usage of an agent.' })
class AgentUseType {
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => String, { description: 'Its name.' }) name!: string;
  @Field(() => Int, { description: 'Number of conversations.' }) conversations!: number;
  @Field(() => Int, { description: 'Number of messages from people.' }) messages!: number;
}

@ObjectType('StudioAnalytics', { description: 'Usage of all agents of the account by other people.' })
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
const ByArg = (): ParameterDecorator =>
  Arg('by', () => BreakdownEnum, {
    nullable: true,
    description: 'Adds a breakdown. Paid plans only.',
  }) as ParameterDecorator;
const FormatArg = (): ParameterDecorator =>
  Arg('format', () => AnalyticsFormatEnum, {
    nullable: true,
    description: 'Format of the REST response. Defaults to JSON. Ignored in GraphQL.',
  }) as ParameterDecorator;

@Resolver()
export class AnalyticsResolver {
  @Access('studio:read')
  @Query(() => AgentAnalyticsType, {
    description:
      'Returns usage analytics of one of the caller’s agents. Figures for fewer than five people and for days that are not over are withheld.',
  })
  async agentAnalytics(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of one of your agents.' }) agentId: string,
    @FromArg() from?: string,
    @ToArg() to?: string,
    @GranularityArg() granularity?: Granularity,
    @ByArg() by?: Breakdown,
    @FormatArg() format?: AnalyticsFormat,
  ): Promise<Analytics> {
    return getAgentAnalytics(ctx, agentId, { from, to, granularity, by, format });
  }

  @Access('studio:read')
  @Query(() => StudioAnalyticsType, {
    description: 'Returns usage analytics of all the caller’s agents together: the sum of what each agent shows.',
  })
  studioAnalytics(
    @Ctx() ctx: GraphqlContext,
    @FromArg() from?: string,
    @ToArg() to?: string,
    @GranularityArg() granularity?: Granularity,
    @ByArg() by?: Breakdown,
    @FormatArg() format?: AnalyticsFormat,
  ): Promise<Analytics & { agents: AgentUse[] }> {
    return getAccountAnalytics(ctx, { from, to, granularity, by, format });
  }
}
