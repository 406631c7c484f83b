import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import type { Ctx } from '../../core/ctx.ts';
import { announceEvent } from '../../core/outbox.ts';
import { type AppendedRow, appended, newMessage } from '../messages/append-message.ts';
import type { Message } from '../messages/message.entity.ts';
import type { GenerationJob } from './generation-job.ts';
import { endedWithReply, endValues } from './generation-states.ts';
import type { WrittenReply } from '../replies/write-reply.ts';

const messageValues = 9;

// One statement, and therefore one transaction. The messages of a conversation cannot change while a generation runs in
// it, so what the statement read before it got the lock is still valid.
const complete = {
  name: 'generation_complete',
  text: `with ${endedWithReply(messageValues)}, ${appended('ended')}`,
};
// The replaced messages are kept as a branch. A summary that covers them is deleted.
const completeBranch = {
  name: 'generation_complete_branch',
  text: `
    with ${endedWithReply(messageValues)}, asked as (
      select m.position, m.user_id from messages m join ended on m.id = ended.user_message_id and m.user_id = ended.user_id
    ), replaced as (
      update messages m set active = false from asked
      where m.conversation_id = $2 and ${ofAccountUnindexed('m.user_id', 'asked.user_id')} and m.position > asked.position and m.active
    ), summary as (
      delete from conversation_summaries s using asked
      where s.conversation_id = $2 and s.through_position > asked.position
    ), ${appended('ended')}`,
};

/**
 * Stores a written reply, ends its generation and publishes `message.created`, in one statement. Returns null when this
 * instance no longer holds the generation.
 */
export async function storeReply(ctx: Ctx, job: GenerationJob, reply: WrittenReply): Promise<Message | null> {
  const { conversationId, userId, agentId, assistantMessageId: id, generationId, isRegeneration } = job;
  const { text: content, citations, truncated, state, usage, firstWordsMs } = reply;
  const message = newMessage(ctx, {
    id,
    conversationId,
    userId,
    agentId,
    role: 'assistant',
    content,
    citations,
    truncated,
  });
  const end = { id: generationId, conversationId, userId, state, usage, isCharged: true, firstWordsMs };
  const [row] = await ctx.sql<AppendedRow>(isRegeneration ? completeBranch : complete, [
    ...message.values,
    ...endValues(ctx, end),
  ]);
  if (!row) return null;
  announceEvent(ctx, userId, () => row.isQueued);
  return message.stored(row);
}
