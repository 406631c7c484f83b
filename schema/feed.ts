import { Arg, Ctx, Field, FieldResolver, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { type FeedItem, readFeed } from '../src/social/activities/feed.ts';
import type { ShareType } from '../src/social/social.input.ts';
import { PublicProfileType } from './agent-details.ts';
import { AgentType, toAgent } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { LimitArg } from './page-info.ts';
import { ShareTypeEnum } from './shares.ts';

const ActivityTypeEnum = enumType<FeedItem['type']>('ActivityType', 'What an item of a feed is about.', {
  agent_published: 'An agent became public.',
  agent_shared: 'A public agent was shared.',
  conversation_shared: 'A conversation was shared.',
  suggestion: 'A trending agent, for a caller who follows no one.',
});

@ObjectType('SharePreview', { description: 'A share in a feed. Its ID opens it, like the token of a link.' })
class SharePreviewType {
  @Field(() => ID, { description: 'Share ID (`shr_…`).' }) id!: string;
  @Field(() => ShareTypeEnum, { description: 'What it passes on.' }) type!: ShareType;
  @Field(() => String, { nullable: true, description: 'Title.' }) title!: string | null;
  @Field(() => String, { nullable: true, description: 'What its owner says about it. Plain text.' })
  note!: string | null;
  @Field(() => Int, { description: 'Number of messages; 0 for an agent.' }) messageCount!: number;
  @Field(() => Date, { description: 'When it was shared.' }) createdAt!: Date;
}

@ObjectType('Activity', { description: 'An item of a feed.' })
class ActivityObject {
  @Field(() => ID, { description: 'Activity ID (`act_…`); for a suggestion, the ID of the agent.' }) id!: string;
  @Field(() => ActivityTypeEnum, { description: 'What it is about.' }) type!: FeedItem['type'];
  @Field(() => Date, { description: 'When it happened; for a suggestion, when the agent was created.' })
  createdAt!: Date;
  actorId!: string;
  agentId!: string;
  shareId!: string | null;
}

@ObjectType({ description: 'A page of a feed, newest first.' })
class FeedPage {
  @Field(() => [ActivityObject], { description: 'Items on this page.' }) data!: ActivityObject[];
  @Field(() => Boolean, { description: 'Whether more items follow this page.' }) hasMore!: boolean;
  @AbsentWhenNull()
  @Field(() => Int, { nullable: true, description: 'Number of items newer than `since`, at most 100; otherwise null.' })
  count!: number | null;
}

@Resolver(() => ActivityObject)
export class FeedResolver {
  @Access('social:read')
  @Query(() => FeedPage, {
    description:
      'Lists what those whom the caller follows published and shared in the last 90 days, newest first. One who follows no one gets trending agents.',
  })
  feed(
    @Ctx() ctx: GraphqlContext,
    @LimitArg() limit?: number,
    @Arg('before', () => ID, { nullable: true, description: 'Only items older than this one.' }) before?: string,
    @Arg('since', () => ID, { nullable: true, description: 'Count the items newer than this one, and list none.' })
    since?: string,
  ): Promise<FeedPage> {
    return readFeed(ctx, { limit, before, since });
  }

  @FieldResolver(() => PublicProfileType, { nullable: true, description: 'Who did it; null when the account is gone.' })
  actor(@Root() { actorId }: ActivityObject, @Ctx() ctx: GraphqlContext): Promise<PublicProfileType | null> {
    return ctx.loaders.publicProfile.load(actorId) as Promise<PublicProfileType | null>;
  }

  @FieldResolver(() => AgentType, { nullable: true, description: 'The agent; null when the caller may not see it.' })
  async agent(@Root() { agentId }: ActivityObject, @Ctx() ctx: GraphqlContext): Promise<AgentType | null> {
    const agent = await ctx.loaders.agent.load(agentId);
    return agent && toAgent(agent, ctx.actor);
  }

  @FieldResolver(() => SharePreviewType, { nullable: true, description: 'The share; null for other activities.' })
  async share(@Root() { shareId }: ActivityObject, @Ctx() ctx: GraphqlContext): Promise<SharePreviewType | null> {
    return shareId === null ? null : ctx.loaders.sharePreview.load(shareId);
  }
}
