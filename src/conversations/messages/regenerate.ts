import type { Ctx } from '../../core/ctx.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { findBranchMessage } from './branches.ts';
import { regenerateInput } from '../conversation.input.ts';
import { findKeyed, getAccepted, readTurn, settleOrphan } from '../generations/read-turn.ts';
import type { AcceptedMessage } from '../generations/generation-job.ts';
import { lockForSending, startGeneration } from '../generations/start-generation.ts';
import { isWithoutReply } from '../replies/generation-state.ts';

/**
 * Starts another reply next to an existing one. When it is stored it becomes the active branch; until then, and if it
 * fails, the conversation does not change. It counts as a message. If it is repeated while it runs, or with the same
 * key, it joins the same generation.
 * @throws AppError `invalid_request`, `not_found`, `conflict`, `generation_in_progress`, `rate_limited`
 */
export async function regenerateMessage(
  ctx: Ctx,
  conversationId: string,
  messageId: string,
  input: unknown,
): Promise<AcceptedMessage> {
  const { idempotencyKey } = parseInput(regenerateInput, input);
  return inTransaction(ctx, async (tx) => {
    const conversation = await lockForSending(tx, conversationId);
    const reply = await findBranchMessage(tx, conversationId, messageId);
    if (!reply) throw notFound();
    const asked = reply.parentId ? await findBranchMessage(tx, conversationId, reply.parentId) : null;
    if (reply.role !== 'assistant' || asked?.role !== 'user') {
      throw new AppError('invalid_request', { message: 'Only a reply to a message can be regenerated.' });
    }
    const { lastGeneration } = await settleOrphan(tx, await readTurn(tx, conversationId));
    const keyed = idempotencyKey ? await findKeyed(tx, conversationId, idempotencyKey) : null;
    if (keyed && keyed.userMessageId !== asked.id) throw new AppError('idempotency_mismatch');
    if (keyed && !isWithoutReply(keyed.state)) return getAccepted(tx, keyed.id);
    if (lastGeneration?.state === 'running') {
      const same = lastGeneration.isRegeneration && lastGeneration.userMessageId === asked.id;
      if (same && !idempotencyKey) return getAccepted(tx, lastGeneration.id);
      throw new AppError('generation_in_progress');
    }
    // A failed attempt with this key may have replaced the reply by what was shown of it.
    if (!reply.active && !keyed)
      throw new AppError('conflict', { message: 'This reply is on another branch. Activate it first.' });
    return startGeneration(tx, conversation, {
      userMessageId: asked.id,
      content: asked.content,
      idempotencyKey: idempotencyKey ?? null,
      isRegeneration: true,
      replaces: keyed?.id ?? null,
    });
  });
}
