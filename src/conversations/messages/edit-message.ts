import type { Ctx } from '../../core/ctx.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { sendAppend } from './append-message.ts';
import { deactivateFrom, findBranchMessage } from './branches.ts';
import { editMessageInput } from '../conversation.input.ts';
import { findKeyed, getAccepted, readTurn, settleOrphan } from '../generations/read-turn.ts';
import type { AcceptedMessage } from '../generations/generation-job.ts';
import { lockForSending, startGeneration } from '../generations/start-generation.ts';
import { decideTurn } from '../generations/turn.ts';

/**
 * Replaces a user message with another one and starts its generation. The old message and those after it are kept as a
 * branch. Repeating the edit joins, replays or retries the generation, as with sending.
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
    const conversation = await lockForSending(tx, conversationId);
    const original = await findBranchMessage(tx, conversationId, messageId);
    if (!original) throw notFound();
    if (original.role !== 'user')
      throw new AppError('invalid_request', { message: 'Only user messages can be edited.' });
    const turn = await settleOrphan(tx, await readTurn(tx, conversationId));
    const attempt = { content, idempotencyKey: idempotencyKey ?? null };
    const keyed = idempotencyKey ? await findKeyed(tx, conversationId, idempotencyKey) : undefined;
    if (!original.active || keyed) {
      const decision = decideTurn(turn, { content, keyed });
      if (decision.kind === 'join') return getAccepted(tx, decision.generationId);
      if (decision.kind === 'retry') return startGeneration(tx, conversation, { ...attempt, ...decision });
      throw new AppError('conflict', { message: 'This message is on another branch. Activate it first.' });
    }
    if (turn.lastGeneration?.state === 'running') throw new AppError('generation_in_progress');
    await deactivateFrom(tx, conversationId, original.position);
    const id = newId('msg_');
    const { userId, agentId } = conversation;
    await sendAppend(tx, { id, conversationId, userId, agentId, role: 'user', content });
    return startGeneration(tx, conversation, { ...attempt, userMessageId: id });
  });
}
