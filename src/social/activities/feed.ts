import { isUnblocked } from '../../accounts/blocks/blocks.ts';
import { callerId } from '../../accounts/caller.ts';
import { isListed } from '../../agents/agents.ts';
import { exploreAgents } from '../../agents/explore.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { SqlValue, Statement } from '../../core/database/sql.ts';
import { invalidField } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { isVisible } from '../profiles.ts';
import { isLive } from '../shares/live.ts';
import { type ActivityType, feedInput } from '../social.input.ts';
import { feedWindowMs } from './activities.ts';
import { onReplica } from '../../core/database/replica.ts';

/** An item of a feed; a suggestion is a trending agent, and has the agent's id. */
export interface FeedItem {
  id: string;
  type: ActivityType | 'suggestion';
  actorId: string;
  agentId: string;
  shareId: string | null;
  createdAt: Date;
}

export interface FeedPage {
  data: FeedItem[];
  hasMore: boolean;
  /** Number of newer items; null unless it was asked for. */
  count: number | null;
}

const maxCounted = 100;

const listFollowed = {
  name: 'feed_followed',
  text: `
    select f.followee_id as id,
      exists (select from activities c where c.actor_id = f.followee_id and c.created_at > $2) as active
    from follows f join users u on u.id = f.followee_id left join profiles p on p.user_id = u.id
    where f.follower_id = $1 and ${isVisible('u', 'p', '$1')}
      and f.followee_id not in (select m.muted_id from mutes m where m.muter_id = $1)`,
};

/**
 * The caller's feed, newest first: what those whom they follow published and shared in the last 90 days, as far as it still
 * exists. One who follows no one gets trending agents instead. With `since`, only the number of newer items, at most 100.
 * @throws AppError `invalid_request`
 */
export const readFeed = onReplica(async (ctx: Ctx, input: unknown): Promise<FeedPage> => {
  const { limit, before, since } = parseInput(feedInput, input);
  const windowStart = new Date(ctx.clock.now().getTime() - feedWindowMs);
  const all = await ctx.sql<{ id: string; active: boolean }>(listFollowed, [callerId(ctx), windowStart]);
  if (all.length === 0) return since || before ? emptyPage(since ? 0 : null) : suggest(ctx, limit);
  // Many who did nothing would make the statement read all activities of others.
  const followed = all.filter(({ active }) => active).map(({ id }) => id);
  if (followed.length === 0) return emptyPage(since ? 0 : null);
  if (since) {
    const place = await placeOf(ctx, 'since', since);
    return { ...emptyPage(null), count: (await read(ctx, followed, '>', place, maxCounted)).length };
  }
  const place = before ? await placeOf(ctx, 'before', before) : null;
  const data = await read(ctx, followed, '<', place, limit + 1);
  const hasMore = data.length > limit;
  if (hasMore) data.pop();
  return { data, hasMore, count: null };
});

const emptyPage = (count: number | null): FeedPage => ({ data: [], hasMore: false, count });

async function suggest(ctx: Ctx, limit: number): Promise<FeedPage> {
  const { data } = await exploreAgents(ctx, { sort: 'trending', limit, counted: false });
  const items = data.map(({ id, ownerId, createdAt }): FeedItem => {
    return { id, type: 'suggestion', actorId: ownerId, agentId: id, shareId: null, createdAt };
  });
  return { ...emptyPage(null), data: items };
}

interface Place {
  createdAt: Date;
  id: string;
}

const findPlace = {
  name: 'activity_place',
  text: `select created_at as "createdAt", id from activities where id = $1`,
};

/** Where an item is, or was: the id of one that is gone has its time. @throws AppError `invalid_request` */
async function placeOf(ctx: Ctx, field: 'before' | 'since', id: string): Promise<Place> {
  if (!isId('act_', id)) throw invalidField(field, 'unknown_activity', `${field} must be the id of an item of a feed`);
  const [place] = await ctx.sql<Place>(findPlace, [id]);
  return place ?? { createdAt: new Date(Number.parseInt(id.slice(4, 17).replace('-', ''), 16)), id };
}

/** The last moment: no item is newer. */
const endOfTime = new Date(Date.UTC(9_999, 0));

/**
 * Every filter comes before the limit, so that a page is empty only when there is nothing. "offset 0" keeps the filters from
 * becoming joins, which would be made for all activities before the first. The ids are literals and the statement
 * is unnamed, so that PostgreSQL plans it for this follow set: a few ids read the index by actor, many the one by time.
 */
async function read(
  ctx: Ctx,
  followed: readonly string[],
  direction: '<' | '>',
  place: Place | null,
  limit: number,
): Promise<FeedItem[]> {
  const windowStart = new Date(ctx.clock.now().getTime() - feedWindowMs);
  const { createdAt, id } = place ?? { createdAt: endOfTime, id: '' };
  const values: SqlValue[] = [callerId(ctx), windowStart, createdAt, id, limit];
  return ctx.sql<FeedItem>(feedStatement(followed, direction), values);
}

/** @throws Error for what is no user's id, because it would become a part of the statement */
function feedStatement(followed: readonly string[], direction: '<' | '>'): Statement {
  if (!followed.every((id) => isId('usr_', id))) throw new Error('A followed id is no user id.');
  return {
    name: '',
    text: `
      select act.id, act.type, act.actor_id as "actorId", act.agent_id as "agentId", act.share_id as "shareId",
        act.created_at as "createdAt"
      from activities act
      where act.actor_id = any ('{${followed.join(',')}}'::text[]) and act.recent and act.created_at > $2
        and (act.created_at, act.id) ${direction} ($3, $4)
        and exists (select from agents a where a.id = act.agent_id and a.deleted_at is null and ${isUnblocked('a.owner_id', '$1')}
          and (act.type = 'conversation_shared' or ${isListed}) offset 0)
        and (act.share_id is null or exists (select from shares s where s.id = act.share_id and not s.held and ${isLive('s')} offset 0))
      order by act.created_at desc, act.id desc limit $5`,
  };
}
