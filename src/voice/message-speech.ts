import { callerId } from '../accounts/caller.ts';
import { agentsByIds } from '../agents/agents.ts';
import { type VoiceId, defaultVoiceId } from '../agents/voices.ts';
import { getConversation } from '../conversations/conversations.ts';
import { getMessage } from '../conversations/messages/messages.ts';
import { hasScope, requireUser } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { speak } from './speech.ts';
import { maxTextLength, speakMessageInput } from './voice.input.ts';

/**
 * Synthesizes a message of any length in one of the caller's conversations as MP3. The voice defaults to that of the
 * version that wrote the message.
 * @throws AppError `insufficient_scope` for a credential without access to messages, `invalid_request`, `not_found`,
 * `rate_limited`, `upstream_error`, `upstream_timeout`
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
  const voice = voiceId ?? (await voiceOf(ctx, conversation.agentId, message.id)) ?? defaultVoiceId;
  // Loaded with the first speech, because the start needs no Markdown parser.
  const { speakableText } = await import('./speakable-text.ts');
  const text = speakableText(message.content);
  await countMore(ctx, text);
  return speak(ctx, text, voice, signal);
}

/**
 * Counts a long message as the requests that its text would need. The request itself is counted already.
 * @throws AppError `rate_limited`
 */
async function countMore(ctx: Ctx, text: string): Promise<void> {
  const { userId, plan } = requireUser(ctx.actor);
  for (let counted = maxTextLength; counted < text.length; counted += maxTextLength) {
    const limit = ctx.config.rateLimits.tts[plan];
    const { retryAfterSeconds } = await ctx.ports.rateLimits.consume(`tts:${userId}`, limit, 60);
    if (retryAfterSeconds !== null) throw new AppError('rate_limited', { retryAfterSeconds });
  }
}

const readVoice = {
  name: 'message_version_voice',
  text: `
    select v.voice_id as "voiceId" from messages m
    join generations g on g.user_message_id = m.parent_id and g.user_id = m.user_id
      and g.assistant_message_id = m.id
    join agent_versions v on v.id = g.version_id
    where m.id = $1 and m.user_id = $2`,
};

/** Returns the voice of the version that wrote the message or, if that is unknown, the agent's current voice. */
async function voiceOf(ctx: Ctx, agentId: string, messageId: string): Promise<VoiceId | null> {
  const [version] = await ctx.sql<{ voiceId: VoiceId | null }>(readVoice, [messageId, callerId(ctx)]);
  return version ? version.voiceId : voiceOfAgent(ctx, agentId);
}

const readGenerationVoice = {
  name: 'generation_version_voice',
  text: `
    select v.voice_id as "voiceId" from generations g join agent_versions v on v.id = g.version_id
    where g.id = $1 and g.user_id = $2`,
};

/** Returns the voice for a reply to the caller that is being generated. */
export async function voiceOfReply(ctx: Ctx, agentId: string, generationId: string): Promise<VoiceId> {
  const [version] = await ctx.sql<{ voiceId: VoiceId | null }>(readGenerationVoice, [generationId, callerId(ctx)]);
  return (version ? version.voiceId : await voiceOfAgent(ctx, agentId)) ?? defaultVoiceId;
}

async function voiceOfAgent(ctx: Ctx, agentId: string): Promise<VoiceId | null> {
  const [agent] = await agentsByIds(ctx, [agentId]);
  return agent?.voiceId ?? null;
}

/**
 * Checks for the scope to read messages, because speech reveals their text.
 * @throws AppError `insufficient_scope`
 */
function requireReading({ actor }: Ctx): void {
  if (actor.kind !== 'user' || hasScope(actor.scopes, 'conversations:read')) return;
  throw new AppError('insufficient_scope', { message: 'This operation also needs the scope `conversations:read`.' });
}
