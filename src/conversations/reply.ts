import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { followGeneration } from './follow-generation.ts';
import type { Message } from './message.entity.ts';
import { findMessageById } from './messages.ts';
import type { AcceptedMessage } from './start-generation.ts';

/**
 * Waits for the whole reply to an accepted message. A caller that stops waiting ends nothing.
 * @throws AppError `rate_limited`, `context_length_exceeded`, `upstream_error`, `upstream_timeout`, `internal_error`, and
 * `conflict` when it was stopped before anything was written
 */
export async function waitForReply(
  ctx: Ctx,
  accepted: AcceptedMessage,
): Promise<{ userMessage: Message; assistantMessage: Message }> {
  for await (const event of followGeneration(ctx, accepted.generationId, { endOnly: true })) {
    if (event.type === 'error')
      throw event.code === 'cancelled' ? notFound() : new AppError(event.code, { message: event.message });
    if (event.type === 'done') {
      const userMessage = await findMessageById(ctx, accepted.userMessageId);
      if (!userMessage) throw notFound();
      if (!event.message)
        throw new AppError('conflict', { message: 'The reply was stopped before anything was written.' });
      return { userMessage, assistantMessage: event.message };
    }
  }
  throw new AppError('internal_error');
}
