import type { Conversation } from '../../conversations/conversation.entity.ts';
import { createConversation } from '../../conversations/conversations.ts';
import { startWithMessages } from '../../conversations/copy-messages.ts';
import type { Ctx } from '../../core/ctx.ts';
import { getShared } from './view-shared.ts';

/**
 * Starts a conversation of the caller with a shared agent. For a shared conversation, it begins with a copy of the
 * messages; the original is unchanged.
 * @throws AppError `not_found`, also for an agent that the caller may not use
 */
export async function continueShare(ctx: Ctx, token: string): Promise<Conversation> {
  const { type, agentId, title, messages } = await getShared(ctx, token);
  return type === 'agent' ? createConversation(ctx, { agentId }) : startWithMessages(ctx, { agentId, title, messages });
}
