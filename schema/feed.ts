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

const ActivityTypeEnum = enumType<FeedItem['type']>('ActivityType', 'Kind of an item in the feed.', {
  agent_published: 'An agent became public.',
  agent_shared: 'A public agent was shared.',
  conversation_shared: 'A conversation was shared.',
  suggestion: 'A trending agent, for a caller who follows no one.',
});

@ObjectType('SharePreview', { description: 'A share in the feed. Its ID opens it, like the token of a link.' })
class SharePreviewType {
  @Field(() => ID, { description: 'Share ID (`shr_…`).' }) id!: string;
  @Field(() => ShareTypeEnum, { description: 'Kind of the shared content.' }) type!: ShareType;
  @Field(() => String, { nullable: true, description: 'Title.' }) title!: string | null;
  @Field(() => String, { nullable: true, description: 'The owner’s note. Plain text.' })
  note!: string | null;
  @Field(() => Int, { description: 'Number of messages; 0 for an agent.' }) messageCount!: number;
  @Field(() => Date, { description: 'Time of sharing.' }) createdAt!: Date;
}

@ObjectType('Activity', { description: 'An item of the feed.' })
class ActivityObject {
  @Field(() => ID, { description: 'Activity ID (`act_…`); for a suggestion, the ID of the agent.' }) id!: string;
  @Field(() => ActivityTypeEnum, { description: 'Kind of the activity.' }) type!: FeedItem['type'];
  @Field(() => Date, { description: 'Time of the activity; for a suggestion, the creation time of the agent.' })
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
      'Lists what the users whom the caller follows published and shared in the last 90 days, newest first. If the caller follows no one, it lists trending agents.',
  })
  feed(
    @Ctx() ctx: GraphqlContext,
    @LimitArg() limit?: number,
    @Arg('before', () => ID, { nullable: true, description: 'Only items older than the one with this ID.' })
    before?: string,
    @Arg('since', () => ID, { nullable: true, description: 'Only counts the items newer than the one with this ID.' })
    since?: string,
  ): Promise<FeedPage> {
    return readFeed(ctx, { limit, before, since });
  }

  @FieldResolver(() => PublicProfileType, {
    nullable: true,
    description: 'The user who did it; null when the account was deleted.',
  })
  actor(@Root() { actorId }: ActivityObject, @Ctx() ctx: GraphqlContext): Promise<PublicProfileType | null> {
    return ctx.loaders.publicProfile.load(actorId) as Promise<PublicProfileType | null>;
  }

  @FieldResolver(() => AgentType, {
    nullable: true,
    description: 'The agent; null if it is not visible to the caller.',
  })
  async agent(@Root() { agentId }: ActivityObject, @Ctx() ctx: GraphqlContext): Promise<AgentType | null> {
    const agent = await ctx.loaders.agent.load(agentId);
    return agent && toAgent(agent, ctx.actor);
  }

  @FieldResolver(() => SharePreviewType, { nullable: true, description: 'The share; null for other activities.' })
  async share(@Root() { shareId }: ActivityObject, @Ctx() ctx: GraphqlContext): Promise<SharePreviewType | null> {
    return shareId === null ? null : ctx.loaders.sharePreview.load(shareId);
  }
}
