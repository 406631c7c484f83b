import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { AcceptedMessage } from './generation-job.ts';
import { findLastOfMessage, getAccepted, readTurn, settleOrphan } from './read-turn.ts';
import { lockForSending, startGeneration } from './start-generation.ts';

/**
 * Continues with the reply to an accepted message whose attempt was interrupted: joins or replays a newer attempt for
 * the same user message, or starts another one. Never stores a message. Returns null when the conversation has
 * continued without a reply to it.
 * @throws AppError `not_found`, `rate_limited`
 */
export const restartReply = (ctx: Ctx, { conversationId, userMessageId }: AcceptedMessage) =>
  inTransaction(ctx, async (tx): Promise<AcceptedMessage | null> => {
    const conversation = await lockForSending(tx, conversationId);
    const turn = await settleOrphan(tx, await readTurn(tx, conversationId));
    const last = await findLastOfMessage(tx, userMessageId);
    if (!last) return null;
    if (last.state !== 'interrupted') return getAccepted(tx, last.id);
    const isNewest = turn.lastGeneration?.id === last.id;
    const isAwaited = last.isRegeneration ? last.isActive : turn.lastMessage?.id === userMessageId;
    if (!isNewest || !isAwaited) return null;
    const accepted = await startGeneration(tx, conversation, {
      userMessageId,
      content: last.userContent,
      idempotencyKey: last.idempotencyKey,
      isRegeneration: last.isRegeneration || turn.hasBrokenReply,
      replaces: last.id,
    });
    // Runs after the counter of the account is charged, in the same lock order as every other charge.
    for (const { onChargeRenewed = [] } of tx.catalog.features)
      for (const renew of onChargeRenewed) await renew(tx, conversationId, tx.clock.now());
    return accepted;
  });
