import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { publish } from '../../core/outbox.ts';
import { counted } from './counters.ts';

const batchSize = 200;
/** Minimum interval between two events of the same type and subject. */
const pause = `interval '1 minute'`;

const takeFollowed = {
  name: 'social_notices_followed',
  text: `
    update profiles p set notice_due = false, noticed_at = $1, event_sequence = p.event_sequence + 1
    where p.user_id = any (array(
      select user_id from profiles where notice_due and (noticed_at is null or noticed_at <= $1::timestamptz - ${pause})
      order by user_id limit ${batchSize} for update skip locked))
    returning p.user_id as "userId", p.event_sequence as sequence,
      ${counted('p.follower_count', 'follower', 'p.user_id')} as "followerCount"`,
};
const takeLiked = {
  name: 'social_notices_liked',
  text: `
    update agent_likes l set notice_due = false, noticed_at = $1, event_sequence = l.event_sequence + 1
    from agents a
    where a.id = l.agent_id and l.agent_id = any (array(
      select agent_id from agent_likes where notice_due and (noticed_at is null or noticed_at <= $1::timestamptz - ${pause})
      order by agent_id limit ${batchSize} for update skip locked))
    returning l.agent_id as "agentId", a.owner_id as "ownerId", l.event_sequence as sequence,
      ${counted('l.like_count', 'like', 'l.agent_id')} as "likeCount"`,
};

/**
 * Publishes `user.followed` and `agent.liked` for users and agents that gained followers or likes since their last
 * event, each at most once a minute.
 */
export async function sendNotices(ctx: Ctx): Promise<void> {
  for (let batch = batchSize; batch === batchSize;) batch = await inTransaction(ctx, publishFollowed);
  for (let batch = batchSize; batch === batchSize;) batch = await inTransaction(ctx, publishLiked);
}

async function publishFollowed(tx: Ctx): Promise<number> {
  const rows = await tx.sql<{ userId: string; sequence: number; followerCount: number }>(takeFollowed, [
    tx.clock.now(),
  ]);
  for (const { userId, followerCount, sequence } of rows)
    await publish(tx, userId, 'user.followed', { followerCount, sequence });
  return rows.length;
}

async function publishLiked(tx: Ctx): Promise<number> {
  const rows = await tx.sql<{ agentId: string; ownerId: string; sequence: number; likeCount: number }>(takeLiked, [
    tx.clock.now(),
  ]);
  for (const { agentId, ownerId, likeCount, sequence } of rows)
    await publish(tx, ownerId, 'agent.liked', { agentId, likeCount, sequence });
  return rows.length;
}
