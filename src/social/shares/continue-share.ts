import type { Conversation } from '../../conversations/conversation.entity.ts';
import { createConversation } from '../../conversations/conversations.ts';
import {
  appendCopied,
  batchCharacters,
  type CopiedMessage,
  startWithMessages,
} from '../../conversations/copy-messages.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { countCopy, countWrite } from '../write-limits.ts';
import { getShared, getSharedSummary } from './view-shared.ts';

/**
 * Starts a conversation of the caller with a shared agent. For a shared conversation, it begins with a copy of the
 * messages, of which a task copies what does not fit into the first batch; the original is unchanged. The attempt is
 * counted first and stays counted when it fails, because a copy is expensive.
 * @throws AppError `not_found`, also for an agent that the caller may not use, `rate_limited`, `plan_limit_exceeded`,
 * `conflict` while another copy is being made for the account
 */
export async function continueShare(ctx: Ctx, token: string): Promise<Conversation> {
  const { type, agentId } = await getSharedSummary(ctx, token);
  await inTransaction(ctx, async (tx) => {
    await countWrite(tx);
    if (type === 'conversation') await countCopy(tx);
  });
  if (type === 'agent') return createConversation(ctx, { agentId });
  const { id: shareId, title, messages } = await getShared(ctx, token);
  return inTransaction(ctx, async (tx) => {
    const conversation = await startWithMessages(tx, { shareId, agentId, title, messages });
    const conversationId = conversation.id;
    if (conversation.copyingShareId) await enqueueTask(tx, 'share.copy', { conversationId }, { key: conversationId });
    return conversation;
  });
}

const readBatch = {
  name: 'share_batch',
  text: `
    select v.role, v.content from (
      select e.value->>'role' as role, e.value->>'content' as content, e.n,
        sum(length(e.value->>'content')) over (order by e.n) - length(e.value->>'content') as before
      from shares s, jsonb_array_elements(s.snapshot) with ordinality as e (value, n)
      where s.id = $1 and s.revoked_at is null and e.n > $2
    ) v where v.before < ${batchCharacters} order by v.n`,
};

/** Copies the remaining messages of a share in batches. A copy whose share is revoked ends with what was copied. */
export async function copyShared(ctx: Ctx, conversationId: string, run: Pick<TaskRun, 'heartbeat'>): Promise<void> {
  const read = (tx: Ctx, shareId: string, position: number) => tx.sql<CopiedMessage>(readBatch, [shareId, position]);
  while (await appendCopied(ctx, conversationId, read)) await run.heartbeat();
}

/** Ends a copy that failed permanently: the conversation keeps what was copied and accepts messages. */
export const endCopy = async (tx: Ctx, conversationId: string): Promise<void> =>
  void (await appendCopied(tx, conversationId, async () => []));
