import { Arg, Ctx, Field, FieldResolver, ID, Int, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { block, listBlocks, listMutes, mute, unblock, unmute } from '../src/social/relations/blocking.ts';
import { follow, unfollow } from '../src/social/relations/follows.ts';
import { like, listLikes, unlike } from '../src/social/relations/likes.ts';
import { PublicProfileType } from './agent-details.ts';
import { AgentList, AgentType, toAgentList } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, GraphqlOnly, RateLimit } from './decorators.ts';
import { ListingType } from './listing-types.ts';
import { IsCounted, type Paging, PagingArgs } from './page-info.ts';
import { ProfileList, toProfileList } from './profiles.ts';

@ObjectType({ description: 'Whether the caller follows a user.' })
class FollowState {
  @Field(() => ID, { description: 'User ID.' }) userId!: string;
  @Field(() => Boolean, { description: 'Whether the caller follows the user.' }) followed!: boolean;
}

@ObjectType({ description: 'Whether the caller likes an agent.' })
class LikeState {
  @Field(() => ID, { description: 'Agent ID.' }) agentId!: string;
  @Field(() => Boolean, { description: 'Whether the caller likes the agent.' }) liked!: boolean;
}

@ObjectType({ description: 'Whether the caller blocks a user.' })
class BlockState {
  @Field(() => ID, { description: 'User ID.' }) userId!: string;
  @Field(() => Boolean, { description: 'Whether the caller blocks the user.' }) blocked!: boolean;
}

@ObjectType({ description: 'Whether the caller mutes a user.' })
class MuteState {
  @Field(() => ID, { description: 'User ID.' }) userId!: string;
  @Field(() => Boolean, { description: 'Whether the caller mutes the user.' }) muted!: boolean;
}

const UserIdArg = (): ParameterDecorator =>
  Arg('userId', () => ID, { description: 'ID of another user.' }) as ParameterDecorator;
const LikedAgentArg = (): ParameterDecorator =>
  Arg('agentId', () => ID, { description: 'Agent ID.' }) as ParameterDecorator;

@Resolver()
export class RelationResolver {
  @Access('social:write')
  @RateLimit('socialWrites')
  @Mutation(() => FollowState, {
    description: 'Follows a user, so that the caller’s feed shows what they publish and share.',
  })
  async follow(@Ctx() ctx: GraphqlContext, @UserIdArg() userId: string): Promise<FollowState> {
    await follow(ctx, userId);
    return { userId, followed: true };
  }

  @Access('social:write')
  @RateLimit('socialWrites')
  @Mutation(() => FollowState, { description: 'Unfollows a user.' })
  async unfollow(@Ctx() ctx: GraphqlContext, @UserIdArg() userId: string): Promise<FollowState> {
    await unfollow(ctx, userId);
    return { userId, followed: false };
  }

  @Access('social:write')
  @RateLimit('socialWrites')
  @Mutation(() => LikeState, { description: 'Likes an agent. No one can see who likes it.' })
  async like(@Ctx() ctx: GraphqlContext, @LikedAgentArg() agentId: string): Promise<LikeState> {
    await like(ctx, agentId);
    return { agentId, liked: true };
  }

  @Access('social:write')
  @RateLimit('socialWrites')
  @Mutation(() => LikeState, { description: 'Removes a like.' })
  async unlike(@Ctx() ctx: GraphqlContext, @LikedAgentArg() agentId: string): Promise<LikeState> {
    await unlike(ctx, agentId);
    return { agentId, liked: false };
  }

  @Access('social:read')
  @Query(() => AgentList, { description: 'Lists the agents that the caller likes, most recently liked first.' })
  async likes(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<AgentList> {
    return toAgentList(await listLikes(ctx, { ...paging, counted }), ctx.actor);
  }

  @Access('social:write')
  @RateLimit('socialWrites')
  @Mutation(() => BlockState, {
    description:
      'Blocks a user: neither sees the other, and the caller’s agents return `not_found` for the blocked user. Ends follows in both directions.',
  })
  async block(@Ctx() ctx: GraphqlContext, @UserIdArg() userId: string): Promise<BlockState> {
    await block(ctx, userId);
    return { userId, blocked: true };
  }

  @Access('social:write')
  @RateLimit('socialWrites')
  @Mutation(() => BlockState, { description: 'Unblocks a user. Follows that the block ended are not restored.' })
  async unblock(@Ctx() ctx: GraphqlContext, @UserIdArg() userId: string): Promise<BlockState> {
    await unblock(ctx, userId);
    return { userId, blocked: false };
  }

  @Access('social:read')
  @Query(() => ProfileList, { description: 'Lists the users whom the caller blocks, latest first.' })
  async blocks(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<ProfileList> {
    return toProfileList(await listBlocks(ctx, { ...paging, counted }));
  }

  @Access('social:write')
  @RateLimit('socialWrites')
  @Mutation(() => MuteState, { description: 'Removes a user from the caller’s feed. The user is not notified.' })
  async mute(@Ctx() ctx: GraphqlContext, @UserIdArg() userId: string): Promise<MuteState> {
    await mute(ctx, userId);
    return { userId, muted: true };
  }

  @Access('social:write')
  @RateLimit('socialWrites')
  @Mutation(() => MuteState, { description: 'Stops muting a user.' })
  async unmute(@Ctx() ctx: GraphqlContext, @UserIdArg() userId: string): Promise<MuteState> {
    await unmute(ctx, userId);
    return { userId, muted: false };
  }

  @Access('social:read')
  @Query(() => ProfileList, { description: 'Lists the users whom the caller mutes, latest first.' })
  async mutes(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<ProfileList> {
    return toProfileList(await listMutes(ctx, { ...paging, counted }));
  }
}

@Resolver(() => AgentType)
export class AgentLikesResolver {
  @GraphqlOnly()
  @FieldResolver(() => Int, { description: 'Number of users who like the agent.' })
  async likeCount(@Root() { id }: AgentType, @Ctx() ctx: GraphqlContext): Promise<number> {
    return (await ctx.loaders.likes.load(id)).likeCount;
  }

  @GraphqlOnly()
  @FieldResolver(() => Boolean, {
    nullable: true,
    description: 'Whether the caller likes the agent; null without a credential.',
  })
  async liked(@Root() { id }: AgentType, @Ctx() ctx: GraphqlContext): Promise<boolean | null> {
    return (await ctx.loaders.likes.load(id)).liked;
  }
}

@Resolver(() => ListingType)
export class ListingLikesResolver {
  @FieldResolver(() => Int, { description: 'Number of users who like the agent.' })
  async likeCount(@Root() { agentId }: ListingType, @Ctx() ctx: GraphqlContext): Promise<number> {
    return (await ctx.loaders.likes.load(agentId)).likeCount;
  }

  @AbsentWhenNull()
  @FieldResolver(() => Boolean, {
    nullable: true,
    description: 'Whether the caller likes the agent; null without a credential.',
  })
  async liked(@Root() { agentId }: ListingType, @Ctx() ctx: GraphqlContext): Promise<boolean | null> {
    return (await ctx.loaders.likes.load(agentId)).liked;
  }
}

@Resolver(() => PublicProfileType)
export class FollowedResolver {
  @GraphqlOnly()
  @FieldResolver(() => Boolean, {
    nullable: true,
    description: 'Whether the caller follows the user; null without a credential.',
  })
  async followed(@Root() { id }: PublicProfileType, @Ctx() ctx: GraphqlContext): Promise<boolean | null> {
    return ctx.actor.kind === 'user' ? ctx.loaders.followed.load(id) : null;
  }
}
