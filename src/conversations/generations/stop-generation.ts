import type { Ctx } from '../../core/ctx.ts';
import { getConversation } from '../conversations.ts';
import { followGeneration } from './follow-generation.ts';

const requestStop = {
  name: 'generation_request_stop',
  text: `
    update generations set stop_requested = true
    where conversation_id = $1 and user_id = $3 and state = 'running' and ($2::text is null or id = $2)
    returning id`,
};

export interface StopResult {
  stopped: boolean;
  /** Id of the stored part of the reply; null when nothing was written or nothing was running. */
  messageId: string | null;
}

/**
 * Stops the running reply, or only the one with `generationId`, on any instance. Returns once it is stored.
 * @throws AppError `not_found`
 */
export async function stopGeneration(
  ctx: Ctx,
  conversationId: string,
  generationId: string | null = null,
): Promise<StopResult> {
  const { userId } = await getConversation(ctx, conversationId);
  const [running] = await ctx.sql<{ id: string }>(requestStop, [conversationId, generationId, userId]);
  if (!running) return { stopped: false, messageId: null };
  ctx.ports.generations.stop(running.id);
  for await (const event of followGeneration(ctx, { id: running.id, userId }, { endOnly: true })) {
    if (event.type === 'done') return { stopped: event.stopped, messageId: event.message?.id ?? null };
  }
  return { stopped: false, messageId: null };
}
