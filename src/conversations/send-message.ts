import type { Ctx } from '../core/ctx.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction } from '../core/transaction.ts';
import { appendMessage } from './append-message.ts';
import { sendMessageInput } from './conversation.input.ts';
import { findKeyed, getAccepted, readTurn, settleOrphan } from './read-turn.ts';
import { type AcceptedMessage, lockForSending, startGeneration } from './start-generation.ts';
import { decideTurn } from './turn.ts';

/**
 * Accepts a message: stores it, counts it against the day and starts its generation, all or nothing. The same message
 * again joins, replays or retries what there is (`decideTurn`); `idempotencyKey` names the message when given.
 * @throws AppError `invalid_request`, `not_found`, `generation_in_progress`, `rate_limited`, `idempotency_mismatch`
 */
export async function sendMessage(ctx: Ctx, conversationId: string, input: unknown): Promise<AcceptedMessage> {
  const { content, idempotencyKey } = parseInput(sendMessageInput, input);
  return inTransaction(ctx, async (tx) => {
    // In this order on the wire, in one go: what is read behind the lock holds under it.
    const [place, read, keyed] = await Promise.all([
      lockForSending(tx, conversationId),
      readTurn(tx, conversationId),
      idempotencyKey ? findKeyed(tx, conversationId, idempotencyKey) : undefined,
    ]);
    const turn = await settleOrphan(tx, read);
    const decision = decideTurn(turn, { content, keyed, now: tx.clock.now() });
    if (decision.kind === 'join') return getAccepted(tx, decision.generationId);

    const attempt = { conversationId, content, idempotencyKey: idempotencyKey ?? null };
    if (decision.kind === 'retry') return startGeneration(tx, place, { ...attempt, ...decision });
    const id = newId('message');
    const [, accepted] = await Promise.all([
      appendMessage(tx, { id, conversationId, role: 'user', content }),
      startGeneration(tx, place, { ...attempt, userMessageId: id }),
    ]);
    return accepted;
  });
}
