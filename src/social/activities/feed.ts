import { callerId } from '../../accounts/caller.ts';
import { exploreAgents } from '../../agents/explore.ts';
import type { Ctx } from '../../core/ctx.ts';
import { invalidField } from '../../core/errors.ts';
import { isId, isUuid } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { isVisible } from '../profiles.ts';
import { isUnmuted } from '../relations/blocking.ts';
import { feedInput } from '../social.input.ts';
import { feedWindowMs } from './activities.ts';
import { type FollowedActivity, type FeedPosition, readFollowed } from './read-followed.ts';
import { onReplica } from '../../core/database/replica.ts';

/** An item of a feed. A suggestion is a trending agent, and its id is the agent's. */
export type FeedItem = Omit<FollowedActivity, 'type'> & { type: FollowedActivity['type'] | 'suggestion' };

export interface FeedPage {
  data: FeedItem[];
  hasMore: boolean;
  /** Number of newer items; null unless the request has `since`. */
  count: number | null;
}

const maxCounted = 100;

// Stops at the first visible user, so it stays cheap for callers who follow many.
const findFollowed = {
  name: 'feed_followed',
  text: `
    select from follows f join users u on u.id = f.followee_id left join profiles p on p.user_id = u.id
    where f.follower_id = $1 and ${isVisible('u', 'p', '$1')} and ${isUnmuted('f.followee_id', '$1')} limit 1`,
};

/**
 * Returns the caller's feed, newest first: visible activities of the last 90 days by users whom the caller follows. A
 * caller who follows no one gets trending agents instead. With `since`, returns only the number of newer items, at most
 * 100. Reads from a replica if there is one.
 * @throws AppError `invalid_request`
 */
export const readFeed = onReplica(async (ctx: Ctx, input: unknown): Promise<FeedPage> => {
  const { limit, before, since } = parseInput(feedInput, input);
  // Suggestions have no second page, because they are not activities with a position.
  if (isSuggestion(before ?? since) && !(await followsAnyone(ctx))) return { ...emptyPage, count: since ? 0 : null };
  const windowStart = { createdAt: new Date(ctx.clock.now().getTime() - feedWindowMs), id: '' };
  if (since) {
    const after = await positionOf(ctx, 'since', since);
    const newer = await readFollowed(ctx, { after: latest(after, windowStart), before: endOfTime }, maxCounted);
    return { ...emptyPage, count: newer.length };
  }
  const span = { after: windowStart, before: before ? await positionOf(ctx, 'before', before) : endOfTime };
  const data = await readFollowed(ctx, span, limit + 1);
  if (data.length === 0 && !before && !(await followsAnyone(ctx))) return suggest(ctx, limit);
  const hasMore = data.length > limit;
  if (hasMore) data.pop();
  return { data, hasMore, count: null };
});

const followsAnyone = async (ctx: Ctx): Promise<boolean> => (await ctx.sql(findFollowed, [callerId(ctx)])).length > 0;

const isSuggestion = (id: string | null | undefined): boolean => !!id && isUuid(id);

const emptyPage: FeedPage = { data: [], hasMore: false, count: null };

async function suggest(ctx: Ctx, limit: number): Promise<FeedPage> {
  const { data } = await exploreAgents(ctx, { sort: 'trending', limit, counted: false });
  const items = data.map(({ id, ownerId, createdAt }): FeedItem => {
    return { id, type: 'suggestion', actorId: ownerId, agentId: id, shareId: null, createdAt };
  });
  return { ...emptyPage, data: items };
}

const findPosition = {
  name: 'activity_position',
  text: `select created_at as "createdAt", id from activities where id = $1`,
};

/**
 * Returns the position of an activity. If the activity was deleted, its time is read from the id.
 * @throws AppError `invalid_request`
 */
async function positionOf(ctx: Ctx, field: 'before' | 'since', id: string): Promise<FeedPosition> {
  if (!isId('act_', id)) throw invalidField(field, 'unknown_activity', `${field} must be the id of an item of a feed`);
  const [found] = await ctx.sql<FeedPosition>(findPosition, [id]);
  return found ?? { createdAt: new Date(Number.parseInt(id.slice(4, 17).replace('-', ''), 16)), id };
}

/** A position after every activity. */
const endOfTime: FeedPosition = { createdAt: new Date(Date.UTC(9_999, 0)), id: '' };

const latest = (one: FeedPosition, other: FeedPosition): FeedPosition =>
  one.createdAt >= other.createdAt ? one : other;
