import type { Conversation } from '../../conversations/conversation.entity.ts';
import { createConversation } from '../../conversations/conversations.ts';
import { startWithMessages } from '../../conversations/copy-messages.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { countCopy, countWrite } from '../write-limits.ts';
import { getShared } from './view-shared.ts';

/**
 * Starts a conversation of the caller with a shared agent. For a shared conversation, it begins with a copy of the
 * messages; the original is unchanged.
 * @throws AppError `not_found`, also for an agent that the caller may not use, `rate_limited`
 */
export async function continueShare(ctx: Ctx, token: string): Promise<Conversation> {
  const { type, agentId, title, messages } = await getShared(ctx, token);
  return inTransaction(ctx, async (tx) => {
    await countWrite(tx);
    if (type === 'agent') return createConversation(tx, { agentId });
    await countCopy(tx);
    return startWithMessages(tx, { agentId, title, messages });
  });
}
