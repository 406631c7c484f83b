import { isUnblocked, blockSubject } from '../accounts/blocks/blocks.ts';
import { callerId } from '../accounts/caller.ts';
import type { PublicProfile } from '../accounts/public-profiles.ts';
import { isNamed, typedUsername } from '../accounts/usernames.ts';
import type { Agent } from '../agents/agent.entity.ts';
import { agentColumns, isListed } from '../agents/agents.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { notFound } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import type { ImageKind } from '../images/encoding/variants.ts';
import { appliedUrl } from '../images/image.ts';
import { keepOwnBanner } from '../images/own-banner.ts';
import { requireUnrestricted } from '../moderation/restrictions.ts';
import { counted } from './counters/counters.ts';
import { listInput, type ProfileVisibility, socialProfileInput } from './social.input.ts';
import { countWrite } from './write-limits.ts';

/** A user's public profile. */
export interface ProfileView extends PublicProfile {
  bio: string | null;
  bannerUrl: string | null;
  agentCount: number;
  followerCount: number;
  followingCount: number;
  /** Whether the caller follows the user; null without a credential. */
  followed: boolean | null;
  muted: boolean | null;
  /** Start of the month (UTC) in which the account was created. The exact date is private. */
  createdAt: Date;
  /** Visibility of the profile. It and the two settings below are null in the profile of another user. */
  visibility: ProfileVisibility | null;
  showFollowing: boolean | null;
  showMature: boolean | null;
}

/**
 * Returns a condition: the account `viewer` may see the user `u` with the profile `p`. `p` may be missing; `viewer` is
 * null without a credential. Hidden, removed, blocked and leaving accounts all fail this one condition, so a caller
 * cannot tell them apart.
 */
export const isVisible = (u: string, p: string, viewer: string): string => `
  (${u}.id = ${viewer} or (coalesce(${p}.visibility, 'public') = 'public' and not coalesce(${p}.removed, false)
    and ${isUnblocked(`${u}.id`, viewer)}))
  and ${u}.deletion_requested_at is null`;

const publicAgents = (owner: string): string =>
  `agents a where a.owner_id = ${owner} and a.deleted_at is null and ${isListed}`;

type ProfileRow = Omit<ProfileView, 'bannerUrl'> & { bannerToken: string | null; bannerKind: ImageKind | null };

const select = `
  select u.id, u.username, u.display_name as "displayName", u.avatar_url as "avatarUrl", u.bio,
    i.token as "bannerToken", i.kind as "bannerKind",
    (select count(*) from ${publicAgents('u.id')}) as "agentCount",
    ${counted('p.follower_count', 'follower', 'u.id')} as "followerCount",
    ${counted('p.following_count', 'following', 'u.id')} as "followingCount",
    case when $2::text is not null then exists (
      select from follows f where f.follower_id = $2 and f.followee_id = u.id) end as followed,
    case when $2::text is not null then exists (
      select from mutes m where m.muter_id = $2 and m.muted_id = u.id) end as muted,
    date_trunc('month', u.created_at, 'UTC') as "createdAt",
    case when u.id = $2 then coalesce(p.visibility, 'public') end as visibility,
    case when u.id = $2 then coalesce(p.show_following, true) end as "showFollowing",
    case when u.id = $2 then coalesce(p.show_mature, false) end as "showMature"
  from users u left join profiles p on p.user_id = u.id left join images i on i.id = p.banner_id and i.status = 'ready'
  where ${isVisible('u', 'p', '$2')}`;
const selectByName = { name: 'profile_by_name', text: `${select} and ${isNamed('u', '$1')}` };
const selectById = { name: 'profile_by_id', text: `${select} and u.id = $1` };

/**
 * Returns the public profile of a user, by a former username too.
 * @throws AppError `not_found`, also for a hidden profile and when either user blocks the other
 */
export async function getProfileByName(ctx: Ctx, username: string): Promise<ProfileView> {
  const [row] = await ctx.sql<ProfileRow>(selectByName, [typedUsername(username), blockSubject(ctx)]);
  if (!row) throw notFound();
  return viewOf(ctx, row);
}

/**
 * Returns the caller's own profile, including its settings.
 * @throws AppError `not_found` for an account that is being deleted
 */
export async function getOwnProfile(ctx: Ctx): Promise<ProfileView> {
  const userId = callerId(ctx);
  const [row] = await ctx.sql<ProfileRow>(selectById, [userId, userId]);
  if (!row) throw notFound();
  return viewOf(ctx, row);
}

const viewOf = ({ config }: Ctx, { bannerToken, bannerKind, ...row }: ProfileRow): ProfileView => ({
  ...row,
  bannerUrl: bannerToken && bannerKind ? appliedUrl(config, { token: bannerToken, kind: bannerKind }) : null,
});

const insertProfile = {
  name: 'profile_insert',
  text: `insert into profiles (user_id, created_at) values ($1, $2) on conflict do nothing`,
};
const update = {
  name: 'profile_update',
  text: `
    update profiles set visibility = coalesce($2, visibility), show_following = coalesce($3, show_following),
      show_mature = coalesce($4, show_mature), banner_id = case when $5 then $6 else banner_id end
    where user_id = $1`,
};

/**
 * Updates the given fields of the caller's profile.
 * @throws AppError `invalid_request`, `forbidden` for a restricted account, `rate_limited`
 */
export async function updateSocialProfile(ctx: Ctx, input: unknown): Promise<ProfileView> {
  const { bannerUrl, visibility, showFollowing, showMature } = parseInput(socialProfileInput, input);
  await requireUnrestricted(ctx);
  await inTransaction(ctx, async (tx) => {
    const userId = callerId(tx);
    await countWrite(tx);
    const bannerId = typeof bannerUrl === 'string' ? await keepOwnBanner(tx, bannerUrl) : null;
    await tx.sql(insertProfile, [userId, tx.clock.now()]);
    const changes = [visibility ?? null, showFollowing ?? null, showMature ?? null, bannerUrl !== undefined, bannerId];
    await tx.sql(update, [userId, ...changes]);
  });
  return getOwnProfile(ctx);
}

const findVisible = {
  name: 'profile_visible',
  text: `
    select u.id, coalesce(p.show_following, true) or u.id = $2 as "showsFollowing"
    from users u left join profiles p on p.user_id = u.id
    where ${isNamed('u', '$1')} and ${isVisible('u', 'p', '$2')}`,
};

/**
 * Returns the id of a user whom the caller may see.
 * @throws AppError `not_found`
 */
export async function findVisibleUser(ctx: Ctx, username: string): Promise<{ id: string; showsFollowing: boolean }> {
  const values = [typedUsername(username), blockSubject(ctx)];
  const [user] = await ctx.sql<{ id: string; showsFollowing: boolean }>(findVisible, values);
  if (!user) throw notFound();
  return user;
}

const agentsOf = orderedList<Agent>({
  name: 'profile_agents',
  columns: agentColumns,
  from: publicAgents('$1'),
  valueCount: 1,
  key: { column: 'a.created_at', kind: 'time', of: ({ createdAt }) => createdAt },
  id: { column: 'a.id', of: ({ id }) => id },
});
const countAgentsOf = { name: 'profile_agents_count', text: `select count(*) as total from ${publicAgents('$1')}` };

/**
 * Lists the public agents of a user, newest first.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function listProfileAgents(ctx: Ctx, username: string, input: unknown): Promise<Page<Agent>> {
  const page = parseInput(listInput, input);
  const { id } = await findVisibleUser(ctx, username);
  return withTotal(ctx, readSlice(ctx, agentsOf, [id], page), page, countAgentsOf, [id]);
}

const findMature = { name: 'profile_mature', text: `select show_mature as mature from profiles where user_id = $1` };

/** Returns whether the caller opted in to agents for adults. */
export async function showsMatureAgents(ctx: Ctx): Promise<boolean> {
  const [row] = await ctx.sql<{ mature: boolean }>(findMature, [callerId(ctx)]);
  return row?.mature ?? false;
}
