import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { followGeneration } from './follow-generation.ts';
import type { Message } from './message.entity.ts';
import { findMessageById } from './messages.ts';
import type { AcceptedMessage } from './start-generation.ts';

const maxAttempts = 3;

/**
 * Sends a message, unless it was `sent`, and waits for the whole reply; one that a dying instance had begun is begun anew.
 * A caller that stops waiting ends nothing.
 * @throws AppError what `send` throws, `rate_limited`, `context_length_exceeded`, `upstream_error`, `upstream_timeout`,
 * `internal_error`, `unavailable`, and `conflict` when it was stopped before anything was written
 */
export async function waitForReply(
  ctx: Ctx,
  send: () => Promise<AcceptedMessage>,
  sent?: AcceptedMessage,
): Promise<{ accepted: AcceptedMessage; userMessage: Message; assistantMessage: Message }> {
  let accepted = sent ?? (await send());
  for (let attempt = 1; ; attempt++) {
    const [end, userMessage] = await Promise.all([endOf(ctx, accepted), findMessageById(ctx, accepted.userMessageId)]);
    if (end.type === 'error') {
      if (end.again && attempt < maxAttempts) {
        accepted = await send();
        continue;
      }
      if (end.code === 'cancelled') throw notFound();
      // Instances die again and again: not a fault of this request.
      throw new AppError(end.again ? 'unavailable' : end.code, { message: end.message });
    }
    if (!userMessage) throw notFound();
    if (!end.message) throw new AppError('conflict', { message: 'The reply was stopped before anything was written.' });
    return { accepted, userMessage, assistantMessage: end.message };
  }
}

async function endOf(ctx: Ctx, accepted: AcceptedMessage) {
  for await (const event of followGeneration(ctx, accepted.generationId, { endOnly: true })) {
    if (event.type !== 'delta') return event;
  }
  throw new AppError('internal_error');
}
