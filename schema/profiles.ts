import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { PublicProfile } from '../src/accounts/public-profiles.ts';
import type { Page } from '../src/core/pagination.ts';
import {
  getOwnProfile,
  getProfileByName,
  listProfileAgents,
  type ProfileView,
  updateSocialProfile,
} from '../src/social/profiles.ts';
import { listFollowers, listFollowersOf, listFollowing, listFollowingOf } from '../src/social/relations/follows.ts';
import { type ProfileVisibility, socialProfileInput } from '../src/social/social.input.ts';
import { PublicProfileType } from './agent-details.ts';
import { AgentList, toAgentList } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, RateLimit, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';

const ProfileVisibilityEnum = enumType<ProfileVisibility>('ProfileVisibility', 'Visibility of a profile.', {
  public: 'Visible to everyone, including callers without a credential.',
  hidden: 'Visible only to its owner; others get `not_found`.',
});

@ObjectType('Profile', { description: 'The public profile of a user.' })
export class ProfileType {
  @Field(() => ID, { description: 'User ID (`usr_…`).' }) id!: string;
  @Field(() => String, { description: 'Unique name.' }) username!: string;
  @Field(() => String, { nullable: true, description: 'Display name; null until the user sets one.' })
  displayName!: string | null;
  @Field(() => String, { nullable: true, description: 'URL of a square image.' }) avatarUrl!: string | null;
  @Field(() => String, { nullable: true, description: 'URL of a wide image.' }) bannerUrl!: string | null;
  @Field(() => String, { nullable: true, description: 'The user’s bio.' }) bio!: string | null;
  @Field(() => Int, { description: 'Number of public agents.' }) agentCount!: number;
  @Field(() => Int, { description: 'Number of users who follow this user.' }) followerCount!: number;
  @Field(() => Int, { description: 'Number of users whom this user follows.' }) followingCount!: number;
  @AbsentWhenNull()
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the caller follows the user; null without a credential.',
  })
  followed!: boolean | null;
  @AbsentWhenNull()
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the caller mutes the user; null without a credential.',
  })
  muted!: boolean | null;
  @Field(() => Date, { description: 'First day of the month of registration.' }) createdAt!: Date;
  @AbsentWhenNull()
  @Field(() => ProfileVisibilityEnum, {
    nullable: true,
    description: 'Visibility of the profile; null in another user’s profile.',
  })
  visibility!: ProfileVisibility | null;
  @AbsentWhenNull()
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether others can see whom the user follows; null in another user’s profile.',
  })
  showFollowing!: boolean | null;
  @AbsentWhenNull()
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the marketplace shows the caller mature agents; null in another user’s profile.',
  })
  showMature!: boolean | null;
}

@ObjectType({ description: 'A page of users.' })
export class ProfileList extends pageOf(
  'users',
  PublicProfileType,
  'Number of users in the whole list, counted up to 10,000.',
) {}

@InputType({ description: 'Changes to the public profile. Omitted fields keep their value; null removes the banner.' })
@Rules(socialProfileInput)
class ProfileInput {
  @Field(() => String, { nullable: true, description: 'URL of one of your images of the kind `banner`.' })
  bannerUrl?: string | null;
  @Field(() => ProfileVisibilityEnum, { nullable: true, description: 'Visibility of the profile.' })
  visibility?: ProfileVisibility;
  @Field(() => Boolean, { nullable: true, description: 'Whether others can see whom you follow.' })
  showFollowing?: boolean;
  @Field(() => Boolean, { nullable: true, description: 'Whether the marketplace shows you mature agents.' })
  showMature?: boolean;
}

const toShort = ({ id, username, displayName, avatarUrl }: PublicProfile): PublicProfileType => ({
  id,
  username,
  displayName: displayName ?? null,
  avatarUrl: avatarUrl ?? null,
});

export const toProfileList = (page: Page<PublicProfile>): ProfileList => ({ ...page, data: page.data.map(toShort) });

const toProfile = (profile: ProfileView): ProfileType => ({
  ...profile,
  displayName: profile.displayName ?? null,
  avatarUrl: profile.avatarUrl ?? null,
});

const UsernameArg = (): ParameterDecorator =>
  Arg('username', () => String, { description: 'Username.' }) as ParameterDecorator;

@Resolver()
export class ProfileResolver {
  @Access('public')
  @Query(() => ProfileType, { description: 'Returns the public profile of a user.' })
  async profile(@Ctx() ctx: GraphqlContext, @UsernameArg() username: string): Promise<ProfileType> {
    return toProfile(await getProfileByName(ctx, username));
  }

  @Access('public')
  @Query(() => AgentList, { description: 'Lists the public agents of a user, newest first.' })
  async profileAgents(
    @Ctx() ctx: GraphqlContext,
    @UsernameArg() username: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<AgentList> {
    return toAgentList(await listProfileAgents(ctx, username, { ...paging, counted }), ctx.actor);
  }

  @Access('social:read')
  @Query(() => ProfileType, { description: 'Returns the caller’s own public profile with its settings.' })
  async ownProfile(@Ctx() ctx: GraphqlContext): Promise<ProfileType> {
    return toProfile(await getOwnProfile(ctx));
  }

  @Access('social:write')
  @RateLimit('socialWrites')
  @Mutation(() => ProfileType, { description: 'Updates the caller’s public profile.' })
  async updateProfile(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ProfileInput) input: ProfileInput,
  ): Promise<ProfileType> {
    return toProfile(await updateSocialProfile(ctx, input));
  }

  @Access('social:read')
  @Query(() => ProfileList, { description: 'Lists the users whom the caller follows, latest first.' })
  async following(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<ProfileList> {
    return toProfileList(await listFollowing(ctx, { ...paging, counted }));
  }

  @Access('social:read')
  @Query(() => ProfileList, { description: 'Lists the caller’s followers, latest first.' })
  async followers(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<ProfileList> {
    return toProfileList(await listFollowers(ctx, { ...paging, counted }));
  }

  @Access('social:read')
  @Query(() => ProfileList, {
    description: 'Lists the users whom a user follows, latest first, if their profile shows them.',
  })
  async profileFollowing(
    @Ctx() ctx: GraphqlContext,
    @UsernameArg() username: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<ProfileList> {
    return toProfileList(await listFollowingOf(ctx, username, { ...paging, counted }));
  }

  @Access('social:read')
  @Query(() => ProfileList, { description: 'Lists the followers of a user, latest first.' })
  async profileFollowers(
    @Ctx() ctx: GraphqlContext,
    @UsernameArg() username: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<ProfileList> {
    return toProfileList(await listFollowersOf(ctx, username, { ...paging, counted }));
  }
}
