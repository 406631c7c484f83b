import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, notFound } from '../../core/errors.ts';
import type { Message } from '../messages/message.entity.ts';
import { findMessageById } from '../messages/messages.ts';
import { followReply } from './follow-reply.ts';
import type { AcceptedMessage } from './generation-job.ts';

/**
 * Waits for the complete reply to an accepted message. If the caller stops waiting, the reply continues.
 * @throws AppError `rate_limited`, `context_length_exceeded`, `upstream_error`, `upstream_timeout`, `internal_error`,
 * `unavailable` when all attempts were interrupted, `not_found` when the conversation was deleted, and `conflict` when
 * the reply was stopped before anything was written
 */
export async function waitForReply(
  ctx: Ctx,
  message: AcceptedMessage,
): Promise<{ accepted: AcceptedMessage; userMessage: Message; assistantMessage: Message }> {
  const reply = followReply(ctx, message, { endOnly: true });
  const [{ value: end }, userMessage] = await Promise.all([
    reply.next(),
    findMessageById(ctx, message.userMessageId, callerId(ctx)),
  ]);
  if (!end || end.type === 'delta') throw new AppError('internal_error');
  if (end.type === 'error') {
    if (end.code === 'cancelled') throw notFound();
    // An interruption is not caused by this request, so the client may retry.
    const { message: text, retryAfterSeconds } = end;
    throw new AppError(end.isInterrupted ? 'unavailable' : end.code, {
      message: text,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
  if (!userMessage) throw notFound();
  if (!end.message) throw new AppError('conflict', { message: 'The reply was stopped before anything was written.' });
  return { accepted: reply.accepted, userMessage, assistantMessage: end.message };
}
