import type { Ctx } from '../core/ctx.ts';
import type { ErrorCode } from '../core/errors.ts';
import { publish } from '../core/outbox.ts';
import { giveMessageBack } from './quota.ts';

const endFailed = {
  name: 'generation_fail',
  text: `
    with g as (
      update generations set state = $2, error_code = $3, error_message = $4, finished_at = $5
      where id = $1 and state = 'running'
      returning conversation_id, user_message_id, to_char(quota_day, 'YYYY-MM-DD') as day
    )
    update conversations c set event_sequence = event_sequence + 1 from g where c.id = g.conversation_id
    returning c.id as "conversationId", c.user_id as "userId", c.agent_id as "agentId", c.event_sequence as sequence,
      g.user_message_id as "messageId", g.day`,
};

interface Ended {
  conversationId: string;
  userId: string;
  agentId: string;
  sequence: number;
  messageId: string;
  day: string | null;
}

/**
 * Ends a running generation without a reply, gives its charge back and publishes `message.failed`; false when it was
 * not running any more. Call it inside a transaction that holds the conversation's lock.
 */
export async function recordFailure(
  ctx: Ctx,
  generationId: string,
  state: 'failed' | 'interrupted',
  code: ErrorCode,
  message: string,
): Promise<boolean> {
  const [ended] = await ctx.sql<Ended>(endFailed, [generationId, state, code, message, ctx.clock.now()]);
  if (!ended) return false;
  const { day, userId, ...failed } = ended;
  if (day) await giveMessageBack(ctx, generationId, day);
  await publish(ctx, userId, 'message.failed', { ...failed, code, message });
  return true;
}
