import { callerId } from '../../accounts/caller.ts';
import type { PublicProfile } from '../../accounts/public-profiles.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import type { Page } from '../../core/pagination.ts';
import { isUnrestricted, requireUnrestricted } from '../../moderation/restrictions.ts';
import { noteChange } from '../counters/counters.ts';
import { findVisibleUser, isVisible } from '../profiles.ts';
import { countFollow, countFollowAttempt, countWrite } from '../write-limits.ts';
import { lockPair, requireOther, requireWithin } from './pair.ts';
import { readUserList, userList } from './relation-list.ts';

const maxFollowed = 2_000;

const findFollowable = {
  name: 'follow_target',
  text: `
    select from users u left join profiles p on p.user_id = u.id where u.id = $1 and ${isVisible('u', 'p', '$2')}`,
};
const insertFollow = {
  name: 'follow_insert',
  text: `
    insert into follows (follower_id, followee_id, created_at) values ($1, $2, $3) on conflict do nothing returning 1`,
};
const countFollowed = {
  name: 'follows_count_of',
  text: `select count(*) as total from (select from follows where follower_id = $1 limit ${maxFollowed + 1}) f`,
};
const deleteFollow = {
  name: 'follow_delete',
  text: `delete from follows where follower_id = $1 and followee_id = $2 returning ${isUnrestricted('$1')} as counts`,
};

/**
 * Follows a user; following twice is a no-op. The user is notified at most once a minute.
 * @throws AppError `invalid_request` for the caller's own id, `not_found`, `conflict` above 2,000 followed users,
 * `forbidden` for a restricted account, `rate_limited`
 */
export async function follow(ctx: Ctx, userId: string): Promise<void> {
  const followeeId = requireOther(ctx, userId, 'follow');
  const followerId = callerId(ctx);
  await requireUnrestricted(ctx);
  await countFollowAttempt(ctx);
  await inTransaction(ctx, async (tx) => {
    await countWrite(tx);
    await lockPair(tx, followerId, followeeId);
    if ((await tx.sql(findFollowable, [followeeId, followerId])).length === 0) throw notFound();
    const isNew = (await tx.sql(insertFollow, [followerId, followeeId, tx.clock.now()])).length > 0;
    if (!isNew) return;
    await countFollow(tx);
    const [row] = await tx.sql<{ total: number }>(countFollowed, [followerId]);
    requireWithin(row?.total ?? 0, maxFollowed, 'follow');
    await noteChange(tx, 'follower', followeeId, 1);
    await noteChange(tx, 'following', followerId, 1);
  });
}

/**
 * Unfollows a user; a no-op if the caller does not follow the user.
 * @throws AppError `not_found`, `rate_limited`
 */
export async function unfollow(ctx: Ctx, userId: string): Promise<void> {
  if (!isId('usr_', userId)) throw notFound();
  await inTransaction(ctx, async (tx) => {
    await countWrite(tx);
    await removeFollow(tx, callerId(tx), userId);
  });
}

/** Removes a follow and updates both counters; a no-op if there is no such follow. */
export async function removeFollow(tx: Ctx, followerId: string, followeeId: string): Promise<void> {
  const [gone] = await tx.sql<{ counts: boolean }>(deleteFollow, [followerId, followeeId]);
  if (!gone) return;
  // Follows of a restricted account are not in the counter, so there is nothing to subtract.
  if (gone.counts) await noteChange(tx, 'follower', followeeId, -1);
  await noteChange(tx, 'following', followerId, -1);
}

const condition = isVisible('u', 'p', '$2');
const followingOf = userList({
  name: 'following_list',
  table: 'follows',
  of: 'follower_id',
  to: 'followee_id',
  condition,
});
const followersOf = userList({
  name: 'followers_list',
  table: 'follows',
  of: 'followee_id',
  to: 'follower_id',
  condition,
});

/**
 * Lists the users whom the caller follows, newest follow first.
 * @throws AppError `invalid_request`
 */
export const listFollowing = (ctx: Ctx, input: unknown): Promise<Page<PublicProfile>> =>
  readUserList(ctx, followingOf, [callerId(ctx), callerId(ctx)], input);

/**
 * Lists the caller's followers, newest follow first.
 * @throws AppError `invalid_request`
 */
export const listFollowers = (ctx: Ctx, input: unknown): Promise<Page<PublicProfile>> =>
  readUserList(ctx, followersOf, [callerId(ctx), callerId(ctx)], input);

/**
 * Lists the users whom a user follows, newest follow first.
 * @throws AppError `invalid_request`, `not_found`, also when the user hides this list
 */
export async function listFollowingOf(ctx: Ctx, username: string, input: unknown): Promise<Page<PublicProfile>> {
  const { id, showsFollowing } = await findVisibleUser(ctx, username);
  if (!showsFollowing) throw notFound();
  return readUserList(ctx, followingOf, [id, callerId(ctx)], input);
}

/**
 * Lists the followers of a user, newest follow first.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function listFollowersOf(ctx: Ctx, username: string, input: unknown): Promise<Page<PublicProfile>> {
  const { id } = await findVisibleUser(ctx, username);
  return readUserList(ctx, followersOf, [id, callerId(ctx)], input);
}

const findFollowed = {
  name: 'follows_among',
  text: `select followee_id as id from follows where follower_id = $1 and followee_id = any ($2)`,
};

/** Returns the ids of those of the given users whom the caller follows. */
export async function followedAmong(ctx: Ctx, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.sql<{ id: string }>(findFollowed, [callerId(ctx), userIds]);
  return new Set(rows.map(({ id }) => id));
}
