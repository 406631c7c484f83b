import { agentsByIds } from '../agents/agents.ts';
import { getConversation } from '../conversations/conversations.ts';
import { getMessage } from '../conversations/messages.ts';
import { hasScope } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { defaultVoiceId } from '../core/voices.ts';
import { speak } from './speech.ts';
import { speakableText } from './speakable-text.ts';
import { speakMessageInput } from './voice.input.ts';

/**
 * One of the messages of the caller's conversation as MP3, in the voice asked for, else its agent's; like
 * `synthesizeSpeech` in all else, but of any length.
 * @throws AppError `insufficient_scope` for a credential that may not read the message, `not_found`, `rate_limited`, `upstream_error`, `upstream_timeout`
 */
export async function speakMessage(
  ctx: Ctx,
  conversationId: string,
  messageId: string,
  input: unknown,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  requireReading(ctx);
  const { voiceId } = parseInput(speakMessageInput, input ?? {});
  const conversation = await getConversation(ctx, conversationId);
  const message = await getMessage(ctx, conversation.id, messageId);
  const [agent] = voiceId ? [] : await agentsByIds(ctx, [conversation.agentId]);
  return speak(ctx, speakableText(message.content), voiceId ?? agent?.voiceId ?? defaultVoiceId, signal);
}

/** To hear a message is to read it. */
function requireReading({ actor }: Ctx): void {
  if (actor.kind !== 'user' || hasScope(actor.scopes, 'conversations:read')) return;
  throw new AppError('insufficient_scope', { message: 'This operation also needs the scope `conversations:read`.' });
}
