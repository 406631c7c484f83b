import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction } from '../core/transaction.ts';
import { appendMessage } from './append-message.ts';
import { deactivateFrom, findBranchMessage } from './branches.ts';
import { editMessageInput } from './conversation.input.ts';
import { findKeyed, getAccepted, readTurn, settleOrphan } from './read-turn.ts';
import { type AcceptedMessage, lockForSending, startGeneration } from './start-generation.ts';
import { decideTurn } from './turn.ts';

/**
 * Sends another message in the place of one: what followed it stays as a branch, the new one becomes active and is
 * answered. The same edit again joins, replays or retries as sending does.
 * @throws AppError `invalid_request`, `not_found`, `conflict`, `generation_in_progress`, `rate_limited`
 */
export async function editMessage(
  ctx: Ctx,
  conversationId: string,
  messageId: string,
  input: unknown,
): Promise<AcceptedMessage> {
  const { content, idempotencyKey } = parseInput(editMessageInput, input);
  return inTransaction(ctx, async (tx) => {
    const place = await lockForSending(tx, conversationId);
    const original = await findBranchMessage(tx, conversationId, messageId);
    if (!original) throw notFound();
    if (original.role !== 'user')
      throw new AppError('invalid_request', { message: 'Only a message of the user can be edited.' });
    const turn = await settleOrphan(tx, await readTurn(tx, conversationId));
    const attempt = { conversationId, content, idempotencyKey: idempotencyKey ?? null };
    const keyed = idempotencyKey ? await findKeyed(tx, conversationId, idempotencyKey) : undefined;
    if (!original.active || keyed) {
      const decision = decideTurn(turn, { content, keyed, now: tx.clock.now() });
      if (decision.kind === 'join') return getAccepted(tx, decision.generationId);
      if (decision.kind === 'retry') return startGeneration(tx, place, { ...attempt, ...decision });
      throw new AppError('conflict', { message: 'This message is on another branch. Activate it first.' });
    }
    if (turn.lastGeneration?.state === 'running') throw new AppError('generation_in_progress');
    await deactivateFrom(tx, conversationId, original.position);
    const message = await appendMessage(tx, { conversationId, role: 'user', content });
    if (!message) throw notFound();
    return startGeneration(tx, place, { ...attempt, userMessageId: message.id });
  });
}
