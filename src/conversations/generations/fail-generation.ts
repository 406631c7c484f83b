import type { Ctx } from '../../core/ctx.ts';
import { publish } from '../../core/outbox.ts';
import { returnCharges } from '../messages/refunds.ts';
import type { OwnedGeneration } from './generation-job.ts';
import { endWithoutReply } from './generation-states.ts';

/**
 * Ends generations without a reply, refunds their charges and publishes `message.failed` for each. Returns the ids of
 * those that were running. Call it inside a transaction that holds the locks of their conversations.
 */
export async function failGenerations(
  tx: Ctx,
  generations: readonly OwnedGeneration[],
  end: Parameters<typeof endWithoutReply>[2],
): Promise<string[]> {
  const ended = await endWithoutReply(tx, generations, end);
  await returnCharges(tx, ended, end.state === 'interrupted' ? 'interrupted' : 'failed');
  const { code, message } = end;
  for (const { userId, conversationId, messageId, agentId, sequence } of ended)
    await publish(tx, userId, 'message.failed', { conversationId, messageId, agentId, code, message, sequence });
  return ended.map(({ id }) => id);
}
