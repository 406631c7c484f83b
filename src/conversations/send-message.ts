import type { Ctx } from '../core/ctx.ts';
import { notFound } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction } from '../core/transaction.ts';
import { appendMessage } from './append-message.ts';
import { sendMessageInput } from './conversation.input.ts';
import { findKeyed, getAccepted, readTurn } from './read-turn.ts';
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
    const place = await lockForSending(tx, conversationId);
    const turn = await readTurn(tx, conversationId);
    const keyed = idempotencyKey ? await findKeyed(tx, conversationId, idempotencyKey) : undefined;
    const decision = decideTurn(turn, { content, keyed, now: tx.clock.now() });
    if (decision.kind === 'join') return getAccepted(tx, decision.generationId);

    const attempt = { conversationId, idempotencyKey: idempotencyKey ?? null };
    if (decision.kind === 'retry') {
      if (decision.replaces) await tx.sql(releaseKey, [decision.replaces]);
      return startGeneration(tx, place, { ...attempt, userMessageId: decision.userMessageId });
    }
    const message = await appendMessage(tx, { conversationId, role: 'user', content });
    if (!message) throw notFound();
    return startGeneration(tx, place, { ...attempt, userMessageId: message.id });
  });
}

const releaseKey = {
  name: 'generation_release_key',
  text: `update generations set idempotency_key = null where id = $1`,
};
