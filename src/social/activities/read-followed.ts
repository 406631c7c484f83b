import { isUnblocked } from '../../accounts/blocks/blocks.ts';
import { callerId } from '../../accounts/caller.ts';
import { isListed } from '../../agents/agents.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { SqlValue } from '../../core/database/sql.ts';
import { isVisible } from '../profiles.ts';
import { isUnmuted } from '../relations/blocking.ts';
import { isLive } from '../shares/live.ts';
import type { ActivityType } from '../social.input.ts';

export interface FollowedActivity {
  id: string;
  type: ActivityType;
  actorId: string;
  agentId: string;
  shareId: string | null;
  createdAt: Date;
}

/** The position of an activity in chronological order. */
export interface FeedPosition {
  createdAt: Date;
  id: string;
}

/** The activities between two positions, both exclusive. */
export interface Span {
  after: FeedPosition;
  before: FeedPosition;
}

/**
 * Number of follows from which the newest activities of all users are scanned first. Below it, each followed user's
 * activities are read by index.
 */
const manyFollows = 200;
/** Maximum number of activities of all users in that scan. */
const maxScanned = 4_000;

/**
 * Returns the newest visible activities of the users whom the caller follows, newest first. All filters apply before
 * the limit, so a result shorter than `limit` is the end of the list. For callers who follow many users, a scan of the
 * newest activities of all users is usually enough. Otherwise, the index by actor is read for each followed user.
 */
export async function readFollowed(ctx: Ctx, span: Span, limit: number): Promise<FollowedActivity[]> {
  const bounds = [callerId(ctx), ...valuesOf(span)];
  const found = await ctx.sql<FollowedActivity>(readNewest, [...bounds, limit]);
  if (found.length === limit || (await ctx.sql(findUnread, bounds)).length === 0) return found;
  return readByActor(ctx, span, limit);
}

/**
 * Reads the activities of the actors who were active most recently. Skipped actors have nothing newer than `next`, so a
 * full result is complete. If too many activities are hidden to fill it, the loop continues with eight times as many
 * actors.
 */
async function readByActor(ctx: Ctx, span: Span, limit: number): Promise<FollowedActivity[]> {
  for (let count = 2 * limit; ; count *= 8) {
    const actors = await ctx.sql<FeedPosition & { actorId: string }>(findNewestActors, [
      callerId(ctx),
      ...valuesOf(span),
      count + 1,
    ]);
    const next = actors.length > count ? actors.pop() : undefined;
    const ids = actors.map(({ actorId }) => actorId);
    const values = [callerId(ctx), ...valuesOf({ ...span, after: next ?? span.after }), limit, ids];
    const found = ids.length === 0 ? [] : await ctx.sql<FollowedActivity>(readOfActors, values);
    if (found.length === limit || !next) return found;
  }
}

const valuesOf = ({ after, before }: Span): SqlValue[] => [after.createdAt, after.id, before.createdAt, before.id];

// PostgreSQL evaluates this condition once per statement, before the row filters.
const followsMany = `
  (select count(*) from (select from follows f where f.follower_id = $1 limit ${manyFollows}) f) = ${manyFollows}`;

const isWithin = (c: string, from: number): string =>
  `(${c}.created_at, ${c}.id) > ($${from}, $${from + 1}) and (${c}.created_at, ${c}.id) < ($${from + 2}, $${from + 3})`;

const columns = `
  act.id, act.type, act.actor_id as "actorId", act.agent_id as "agentId", act.share_id as "shareId",
  act.created_at as "createdAt"`;

// "offset 0" prevents the planner from turning these subqueries into joins, which it would compute for all activities
// before returning the first.
const isActorVisible = (id: string): string => `
  exists (select from users u left join profiles p on p.user_id = u.id where u.id = ${id} and ${isVisible('u', 'p', '$1')} offset 0)`;
const isShown = `
  exists (select from agents a where a.id = act.agent_id and a.deleted_at is null and ${isUnblocked('a.owner_id', '$1')}
    and (act.type = 'conversation_shared' or ${isListed}) offset 0)
  and (act.share_id is null or exists (
    select from shares s where s.id = act.share_id and not s.held and ${isLive('s')} offset 0))`;

// "is true" makes the planner hash the follows once; as a join it would look them up for each activity.
const readNewest = {
  name: 'feed_newest',
  text: `
    select ${columns}
    from (select * from activities c where c.recent and ${isWithin('c', 2)}
      order by c.created_at desc, c.id desc limit ${maxScanned}) act
    where (act.actor_id in (
        select f.followee_id from follows f where f.follower_id = $1 and ${isUnmuted('f.followee_id', '$1')})) is true
      and ${isActorVisible('act.actor_id')} and ${isShown} and ${followsMany}
    order by act.created_at desc, act.id desc limit $6`,
};
const findUnread = {
  name: 'feed_unread',
  text: `
    select where not ${followsMany} or exists (
      select from activities c where c.recent and ${isWithin('c', 2)}
      order by c.created_at desc, c.id desc offset ${maxScanned} limit 1)`,
};

const findNewestActors = {
  name: 'feed_newest_actors',
  text: `
    select f.followee_id as "actorId", n.created_at as "createdAt", n.id
    from follows f cross join lateral (
      select c.created_at, c.id from activities c where c.actor_id = f.followee_id and ${isWithin('c', 2)}
      order by c.created_at desc, c.id desc limit 1) n
    where f.follower_id = $1 and ${isUnmuted('f.followee_id', '$1')}
    order by n.created_at desc, n.id desc limit $6`,
};
const readOfActors = {
  name: 'feed_of_actors',
  text: `
    select found.*
    from unnest($7::text[]) as actor (id) cross join lateral (
      select ${columns} from activities act where act.actor_id = actor.id and ${isWithin('act', 2)} and ${isShown}
      order by act.created_at desc, act.id desc limit $6) found
    where ${isActorVisible('actor.id')}
    order by found."createdAt" desc, found.id desc limit $6`,
};
