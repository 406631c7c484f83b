import type { Ctx } from '../../core/ctx.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { appendMessage } from '../messages/append-message.ts';
import { deactivateFrom } from '../messages/branches.ts';
import type { GenerationJob } from './generation-job.ts';
import type { GenerationOutcome } from './live-generation.ts';
import { lockConversation } from '../lock-conversation.ts';
import { returnCharges } from '../messages/refunds.ts';
import type { WrittenReply } from './write-reply.ts';
import { dropCheckpoints, endWithReply } from './generation-states.ts';
import { requestSummary } from '../prompt/summaries.ts';

// Unanswered messages do not count, and a greeting has no parent.
const needsTitle = {
  name: 'conversation_needs_title',
  text: `
    select 1 as untitled from conversations c
    where c.id = $1 and c.title is null and (
      select count(*) from (
        select 1 from messages m
        where m.conversation_id = c.id and m.role = 'assistant' and m.parent_id is not null limit 2
      ) replies) = 1`,
};

/**
 * Stores the reply and ends its generation, in one transaction; `lost` when this instance does not hold it any more. A
 * generation that was stopped before anything was written leaves no message and returns its charge.
 */
export async function completeGeneration(
  ctx: Ctx,
  job: GenerationJob,
  { text, state, usage, firstWordsMs, citations, truncated }: WrittenReply,
): Promise<GenerationOutcome> {
  return inTransaction(ctx, async (tx) => {
    // Sent together, in this order: the generation is changed under the conversation's lock.
    const [, ended] = await Promise.all([
      lockConversation(tx, job.conversationId),
      endWithReply(tx, job.generationId, { state, usage, isCharged: text !== '', firstWordsMs }),
    ]);
    if (!ended) return { state: 'lost' };
    if (text === '') {
      await dropCheckpoints(tx, job.generationId);
      await returnCharges(tx, [{ ...ended, id: job.generationId }], false);
      return { state, message: null, usage };
    }
    const { conversationId, assistantMessageId: id } = job;
    // The reply that it replaces stays as a branch.
    if (ended.isRegeneration) await deactivateFrom(tx, conversationId, ended.position + 1);
    const [message] = await Promise.all([
      appendMessage(tx, { id, conversationId, role: 'assistant', content: text, citations, truncated }),
      requestTitle(tx, conversationId),
      requestSummary(tx, conversationId),
      dropCheckpoints(tx, job.generationId),
    ]);
    return { state, message, usage };
  });
}

async function requestTitle(ctx: Ctx, conversationId: string): Promise<void> {
  const untitled = await ctx.sql(needsTitle, [conversationId]);
  if (untitled.length > 0) await enqueueTask(ctx, 'conversation.title', { conversationId }, { key: conversationId });
}
