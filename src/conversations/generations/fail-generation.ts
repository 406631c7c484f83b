import type { Ctx } from '../../core/ctx.ts';
import { publish } from '../../core/outbox.ts';
import { returnCharges } from '../messages/refunds.ts';
import type { OwnedGeneration } from './generation-job.ts';
import { endWithoutReply, type FailedEnd } from './generation-states.ts';
import { keepBrokenReplies } from './keep-broken-replies.ts';

/**
 * Ends generations without a reply, refunds their charges, publishes `message.failed` for each and keeps what their
 * readers were shown. Returns the ids of those that were running, and of the broken replies that were stored. Call it
 * inside a transaction that holds the locks of their conversations.
 */
export async function failGenerations(
  tx: Ctx,
  generations: readonly OwnedGeneration[],
  end: FailedEnd,
): Promise<{ ended: string[]; brokenReplies: string[] }> {
  const ended = await endWithoutReply(tx, generations, end);
  await returnCharges(tx, ended, end.state === 'interrupted' ? 'interrupted' : 'failed');
  const { code, message } = end;
  for (const { userId, conversationId, messageId, agentId, sequence } of ended)
    await publish(tx, userId, 'message.failed', { conversationId, messageId, agentId, code, message, sequence });
  const brokenReplies = ended.length > 0 ? await keepBrokenReplies(tx, ended) : [];
  return { ended: ended.map(({ id }) => id), brokenReplies };
}
