import { isUnblocked } from '../../accounts/blocks/blocks.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Agent } from '../../agents/agent.entity.ts';
import { agentColumns, getAgent, isShown } from '../../agents/agents.ts';
import type { Ctx } from '../../core/ctx.ts';
import { isForeignKeyViolation } from '../../core/database/database-errors.ts';
import type { Statement } from '../../core/database/sql.ts';
import { inTransaction, sendSql } from '../../core/database/transaction.ts';
import { notFound } from '../../core/errors.ts';
import { isUuid } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../../core/pagination.ts';
import { isUnrestricted, requireUnrestricted } from '../../moderation/restrictions.ts';
import { counted, noteFor } from '../counters/counters.ts';
import { listInput } from '../social.input.ts';
import { countWrite } from '../write-limits.ts';

const insertLike = {
  name: 'like_insert',
  text: `
    with liked as (
      insert into likes (agent_id, user_id, created_at) values ($1, $2, $3) on conflict do nothing returning 1)
    ${noteFor('like', { subject: '$1', delta: 1, now: '$3', from: 'liked' })}`,
};
const deleteLike = {
  name: 'like_delete',
  text: `
    with gone as (delete from likes where agent_id = $1 and user_id = $2 returning 1)
    ${noteFor('like', { subject: '$1', delta: -1, now: '$3', from: `gone where ${isUnrestricted('$2')}` })}`,
};

/** Likes an agent that the caller may use; liking twice is a no-op. Its owner is notified at most once a minute. @throws AppError `not_found`, `forbidden`, `rate_limited` */
export async function like(ctx: Ctx, agentId: string): Promise<void> {
  await Promise.all([getAgent(ctx, agentId), requireUnrestricted(ctx)]);
  await write(ctx, insertLike, agentId).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? notFound() : error;
  });
}

/** Takes a like back. It is a no-op for an agent that the caller does not like. @throws AppError `not_found`, `rate_limited` */
export async function unlike(ctx: Ctx, agentId: string): Promise<void> {
  if (!isUuid(agentId)) throw notFound();
  await write(ctx, deleteLike, agentId);
}

/** The statement and the count of the day, in one packet. */
const write = (ctx: Ctx, statement: Statement, agentId: string): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    await countWrite(tx);
    await sendSql(tx, statement, [agentId, callerId(tx), tx.clock.now()]);
  });

type LikedAgent = Agent & { likedAt: Date };

const from = `
  likes l join agents a on a.id = l.agent_id
  where l.user_id = $1 and a.deleted_at is null and (a.owner_id = $1 or (${isShown} and ${isUnblocked('a.owner_id', '$1')}))`;
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

/** The agents that the caller likes and may use, latest first. Only the caller sees this list. @throws AppError `invalid_request` */
export async function listLikes(ctx: Ctx, input: unknown): Promise<Page<Agent>> {
  const page = parseInput(listInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, listLiked, values, page), page, countLiked, values);
}

/** What an agent's likes look like to the caller. */
export interface AgentLikes {
  agentId: string;
  likeCount: number;
  /** Null without a credential. */
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

/** The likes of agents. Performs no authorization check. */
export const likesOf = (ctx: Ctx, agentIds: readonly string[]): Promise<AgentLikes[]> =>
  ctx.sql<AgentLikes>(findLikes, [agentIds, ctx.actor.kind === 'user' ? ctx.actor.userId : null]);
