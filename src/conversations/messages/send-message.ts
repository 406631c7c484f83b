import type { Ctx } from '../../core/ctx.ts';
import { newId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { sendAppend } from './append-message.ts';
import { sendMessageInput } from '../conversation.input.ts';
import { findKeyed, getAccepted, readTurn, settleOrphan } from '../generations/read-turn.ts';
import type { AcceptedMessage } from '../generations/generation-job.ts';
import { type AlsoCharge, lockForSending, startGeneration } from '../generations/start-generation.ts';
import { decideTurn } from '../generations/turn.ts';

/**
 * Accepts a message: stores it, charges the daily quota and starts its generation, in one transaction. Sending the same
 * message again joins, replays or retries its generation (`decideTurn`). `idempotencyKey`, if given, identifies the
 * message. `alsoCharge` runs only for messages that are charged, so not for those that join or replay a generation.
 * @throws AppError `invalid_request`, `not_found`, `generation_in_progress`, `rate_limited`, `idempotency_mismatch`
 */
export async function sendMessage(
  ctx: Ctx,
  conversationId: string,
  input: unknown,
  alsoCharge?: AlsoCharge,
): Promise<AcceptedMessage> {
  const { content, idempotencyKey } = parseInput(sendMessageInput, input);
  return inTransaction(ctx, async (tx) => {
    // Sent together, in this order: the reads run after the lock, so they are valid under it.
    const [conversation, read, keyed] = await Promise.all([
      lockForSending(tx, conversationId),
      readTurn(tx, conversationId),
      idempotencyKey ? findKeyed(tx, conversationId, idempotencyKey) : undefined,
    ]);
    const turn = await settleOrphan(tx, read);
    const decision = decideTurn(turn, { content, keyed });
    if (decision.kind === 'join') return getAccepted(tx, decision.generationId);

    const attempt = { content, idempotencyKey: idempotencyKey ?? null, alsoCharge };
    if (decision.kind === 'retry') return startGeneration(tx, conversation, { ...attempt, ...decision });
    const id = newId('msg_');
    const { userId, agentId } = conversation;
    await sendAppend(tx, { id, conversationId, userId, agentId, role: 'user', content });
    return startGeneration(tx, conversation, { ...attempt, userMessageId: id });
  });
}
