import { isOpenTo, isUnblocked } from '../../accounts/blocks/blocks.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Agent } from '../../agents/agent.entity.ts';
import { agentColumns, isUsableBy } from '../../agents/agents.ts';
import { utcDay } from '../../conversations/messages/quota.ts';
import type { Ctx } from '../../core/ctx.ts';
import { batchWrites } from '../../core/database/batched-writes.ts';
import { isForeignKeyViolation } from '../../core/database/database-errors.ts';
import type { Statement } from '../../core/database/sql.ts';
import { notFound } from '../../core/errors.ts';
import { isUuid } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../../core/pagination.ts';
import { isUnrestricted, restricted } from '../../moderation/restrictions.ts';
import { counted, noteFor } from '../counters/counters.ts';
import { listInput } from '../social.input.ts';
import { countWrites, tooManyWrites } from '../write-limits.ts';

/** The outcome of one change. `restricted` means that moderators barred the account from publishing. */
type Outcome = 'written' | 'not_found' | 'restricted' | 'over_limit';

interface Change {
  agentId: string;
  userId: string;
  at: Date;
}

/**
 * Returns a statement that writes one change each of several users. It counts each change against the user's daily
 * limit, applies `change` to the rows of `allowed`, and notes the changes for the counter. `refusal` is an SQL
 * expression for the reason to refuse a change, or null.
 */
const changeMany = ({ refusal, change, note }: { refusal: string; change: string; note: string }): string => `
  with given as materialized (
    select g.*, ${refusal} as refusal from unnest($1::text[], $2::text[]) with ordinality as g (agent_id, user_id, n)),
  counted as (${countWrites(`given where refusal is null`, '$3')}),
  allowed as (select g.agent_id, g.user_id from given g join counted using (user_id) order by user_id),
  changed as (${change}),
  noted as (${note})
  select coalesce(g.refusal, case when c.user_id is null then 'over_limit' else 'written' end) as outcome
  from given g left join counted c using (user_id) order by g.n`;

const insertLikes = {
  name: 'likes_insert',
  text: changeMany({
    refusal: `case
      when not exists (
        select from agents a where a.id = g.agent_id and a.deleted_at is null
          and ${isUsableBy('g.user_id')} and ${isOpenTo('a.owner_id', 'g.user_id')}) then 'not_found'
      when not ${isUnrestricted('g.user_id')} then 'restricted' end`,
    change: `
      insert into likes (agent_id, user_id, created_at) select agent_id, user_id, $4 from allowed
      on conflict do nothing returning agent_id`,
    note: noteFor('like', { subject: 'agent_id', delta: 'count(*)', now: '$4', from: 'changed group by agent_id' }),
  }),
};
const deleteLikes = {
  name: 'likes_delete',
  text: changeMany({
    refusal: 'null::text',
    change: `
      delete from likes l using allowed d where l.agent_id = d.agent_id and l.user_id = d.user_id
      returning l.agent_id, l.user_id`,
    note: noteFor('like', {
      subject: 'agent_id',
      delta: '-count(*)',
      now: '$4',
      from: `changed where ${isUnrestricted('changed.user_id')} group by agent_id`,
    }),
  }),
};

/** A batch has at most one change per user, because the statement checks the daily limit of a user only once. */
const batched = (statement: Statement) =>
  batchWrites<Change, Outcome>({
    keyOf: ({ userId }) => userId,
    write: async (sql, changes) => {
      const at = changes[0]?.at ?? null;
      const values = [changes.map(({ agentId }) => agentId), changes.map(({ userId }) => userId), at && utcDay(at), at];
      return (await sql<{ outcome: Outcome }>(statement, values)).map(({ outcome }) => outcome);
    },
  });
const addLike = batched(insertLikes);
const removeLike = batched(deleteLikes);

/**
 * Likes an agent that the caller may use; liking twice is a no-op. The agent's owner is notified at most once a minute.
 * @throws AppError `not_found`, `forbidden` for a restricted account, `rate_limited`
 */
export const like = (ctx: Ctx, agentId: string): Promise<void> => change(ctx, addLike, agentId);

/**
 * Removes a like; a no-op if the caller does not like the agent.
 * @throws AppError `not_found`, `rate_limited`
 */
export const unlike = (ctx: Ctx, agentId: string): Promise<void> => change(ctx, removeLike, agentId);

async function change(ctx: Ctx, write: typeof addLike, agentId: string): Promise<void> {
  if (!isUuid(agentId)) throw notFound();
  const at = ctx.clock.now();
  const outcome = await write(ctx, { agentId, userId: callerId(ctx), at }).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? notFound() : error;
  });
  if (outcome === 'not_found') throw notFound();
  if (outcome === 'restricted') throw restricted();
  if (outcome === 'over_limit') throw tooManyWrites(at);
}

type LikedAgent = Agent & { likedAt: Date };

const from = `
  likes l join agents a on a.id = l.agent_id
  where l.user_id = $1 and a.deleted_at is null and ${isUsableBy('$1')} and ${isUnblocked('a.owner_id', '$1')}`;
const listLiked = orderedList<LikedAgent>({
  name: 'likes_list',
  columns: `${agentColumns}, l.created_at as "likedAt"`,
  from,
  valueCount: 1,
  key: { column: 'l.created_at', kind: 'time', of: ({ likedAt }) => likedAt },
  id: { column: 'l.agent_id', of: ({ id }) => id },
});
const countLiked = {
  name: 'likes_list_count',
  text: `select count(*) as total from (select from ${from} limit 10000) l`,
};

/**
 * Lists the agents that the caller likes and may use, newest like first. The total is counted up to 10,000.
 * @throws AppError `invalid_request`
 */
export async function listLikes(ctx: Ctx, input: unknown): Promise<Page<Agent>> {
  const page = parseInput(listInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, listLiked, values, page), page, countLiked, values);
}

/** The likes of an agent as shown to the caller. */
export interface AgentLikes {
  agentId: string;
  likeCount: number;
  /** Whether the caller likes the agent; null without a credential. */
  liked: boolean | null;
}

const findLikes = {
  name: 'likes_of_agents',
  text: `
    select i.id as "agentId", ${counted('c.like_count', 'like', 'i.id')} as "likeCount",
      case when $2::text is not null then exists (
        select from likes l where l.agent_id = i.id and l.user_id = $2) end as liked
    from unnest($1::text[]) as i (id) left join agent_likes c on c.agent_id = i.id`,
};

/** Returns the likes of agents in no particular order. Performs no authorization check. */
export const likesOf = (ctx: Ctx, agentIds: readonly string[]): Promise<AgentLikes[]> =>
  ctx.sql<AgentLikes>(findLikes, [agentIds, ctx.actor.kind === 'user' ? ctx.actor.userId : null]);
