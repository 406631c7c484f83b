import type { Citation } from '../knowledge/citations.ts';
import type { Ctx } from '../core/ctx.ts';
import { enqueueTask } from '../core/tasks.ts';
import { inTransaction } from '../core/transaction.ts';
import { appendMessage } from './append-message.ts';
import { deactivateFrom } from './branches.ts';
import type { TokenUsage } from './follow-generation.ts';
import type { GenerationOutcome } from './live-generations.ts';
import { lockConversation } from './lock-conversation.ts';
import { giveMessageBack } from './quota.ts';
import { requestSummary } from './summaries.ts';
import type { GenerationJob } from './run-generation.ts';

const endGeneration = {
  name: 'generation_complete',
  text: `
    update generations set state = $2, input_tokens = $3, output_tokens = $4, finished_at = $5
    where id = $1 and state = 'running' and instance_id = $6
    returning to_char(quota_day, 'YYYY-MM-DD') as day, is_regeneration as "isRegeneration",
      (select position from messages where id = user_message_id) as position`,
};
const dropDeltas = { name: 'generation_deltas_drop', text: `delete from generation_deltas where generation_id = $1` };
const needsTitle = {
  name: 'conversation_needs_title',
  text: `
    select 1 as untitled from conversations c
    where c.id = $1 and c.title is null
      and (select count(*) from (select 1 from messages m where m.conversation_id = c.id and m.role = 'user' limit 2) u) = 1`,
};

interface EndedRow {
  day: string | null;
  isRegeneration: boolean;
  position: number;
}

interface WrittenReply {
  text: string;
  state: 'complete' | 'stopped';
  usage: TokenUsage | null;
  citations: readonly Citation[];
}

/**
 * Stores the reply and ends its generation, in one transaction; `lost` when somebody ended it before. A generation that
 * was stopped before anything was written leaves no message and costs nothing.
 */
export async function completeGeneration(
  ctx: Ctx,
  job: GenerationJob,
  { text, state, usage, citations }: WrittenReply,
): Promise<GenerationOutcome> {
  return inTransaction(ctx, async (tx) => {
    // One behind the other on the wire: the row is changed under the lock.
    const [, [ended]] = await Promise.all([
      lockConversation(tx, job.conversationId),
      tx.sql<EndedRow>(endGeneration, [
        job.generationId,
        state,
        usage?.inputTokens ?? null,
        usage?.outputTokens ?? null,
        tx.clock.now(),
        tx.ports.generations.instanceId,
      ]),
    ]);
    if (!ended) return { state: 'lost' };
    if (text === '') {
      await tx.sql(dropDeltas, [job.generationId]);
      if (ended.day) await giveMessageBack(tx, job.generationId, ended.day);
      return { state, message: null, usage };
    }
    const { conversationId, assistantMessageId: id } = job;
    // The reply that it replaces stays as a branch.
    if (ended.isRegeneration) await deactivateFrom(tx, conversationId, ended.position + 1);
    const [message] = await Promise.all([
      appendMessage(tx, { id, conversationId, role: 'assistant', content: text, citations }),
      requestTitle(tx, conversationId),
      requestSummary(tx, conversationId),
      tx.sql(dropDeltas, [job.generationId]),
    ]);
    return { state, message, usage };
  });
}

async function requestTitle(ctx: Ctx, conversationId: string): Promise<void> {
  const untitled = await ctx.sql(needsTitle, [conversationId]);
  if (untitled.length > 0) await enqueueTask(ctx, 'conversation.title', { conversationId }, { key: conversationId });
}
