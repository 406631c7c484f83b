import { hasVisible } from '../../core/text/text-input.ts';
import { type Scope, requireUser, type UserActor, hasScope } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, notFound } from '../../core/errors.ts';
import type { OwnLimit } from '../../core/http/rate-limit-table.ts';
import { newUuid } from '../../core/ids.ts';
import { getConversation } from '../../conversations/conversations.ts';
import { markDelivered } from '../../conversations/generations/delivery.ts';
import { followReply, type ReplyEvents } from '../../conversations/generations/follow-reply.ts';
import { stopGeneration } from '../../conversations/generations/stop-generation.ts';
import { sendMessage } from '../../conversations/messages/send-message.ts';
import { voiceOfReply } from '../../voice/message-speech.ts';
import { speakSentences } from '../../voice/speech.ts';
import { transcribeAudio } from '../../voice/transcription.ts';
import type { Recording } from './recording.ts';

export interface SpeechTurn {
  conversationId: string;
  recording: Recording;
  /**
   * Consumes the request limit.
   * @throws AppError `rate_limited`
   */
  admit: (actor: UserActor, own?: OwnLimit) => Promise<void>;
  /** Ends the transcription or the audio. The reply itself is generated to its end unless the reason is a BargeIn. */
  left: AbortSignal;
  /** Resolves when the client can receive more. */
  send: (sound: Uint8Array) => Promise<void>;
}

const scopes: readonly Scope[] = ['conversations:write', 'voice:use'];

/** Abort reason of a turn whose reply must end too, because the person interrupts it. */
export class BargeIn extends Error {}

/**
 * Requires the scopes for voice.
 * @throws AppError `unauthenticated`, `insufficient_scope`
 */
export function requireVoice(ctx: Ctx): void {
  const held = requireUser(ctx.actor).scopes;
  const missing = scopes.find((scope) => !hasScope(held, scope));
  if (missing === undefined) return;
  throw new AppError('insufficient_scope', { message: `Voice requires the scope \`${missing}\`.` });
}

/**
 * Transcribes an utterance, sends it as a message, and synthesizes the reply sentence by sentence while it is
 * generated. Consumes the limits of the three equivalent REST requests.
 * @throws AppError the errors of `transcribeAudio`, `sendMessage`, the reply and `synthesizeSpeech`
 */
export async function answerSpeech(ctx: Ctx, { conversationId, recording, admit, left, send }: SpeechTurn) {
  requireVoice(ctx);
  const actor = requireUser(ctx.actor);
  const audio = recording.audio();
  await getConversation(ctx, conversationId);
  await admit(actor, 'stt');
  const { text } = await transcribeAudio(ctx, audio, left);
  recording.release();
  const content = text.trim();
  if (!hasVisible(content)) throw new AppError('invalid_request', { message: 'No speech was heard in the recording.' });
  await admit(actor);
  await admit(actor, 'tts');
  if (left.aborted) return;
  // A new key each time: repeating the same words is another message.
  const accepted = await sendMessage(ctx, conversationId, { content, idempotencyKey: newUuid() });
  const reply = followReply(ctx, accepted);
  const stopReading = (): void => void reply.return?.();
  left.addEventListener('abort', stopReading);
  try {
    if (left.aborted) return;
    const { agentId } = await getConversation(ctx, conversationId);
    const voice = await voiceOfReply(ctx, agentId, accepted.generationId);
    for await (const sound of speakSentences(ctx, sentencesOf(ctx, reply), voice, left)) {
      if (left.aborted) return;
      await send(sound);
    }
  } finally {
    left.removeEventListener('abort', stopReading);
    stopReading();
    if (left.reason instanceof BargeIn) await stopGeneration(ctx, conversationId, reply.accepted.generationId);
  }
}

/** Yields the sentences of a reply while it is generated. */
async function* sentencesOf(ctx: Ctx, reply: ReplyEvents): AsyncGenerator<string, void, void> {
  const { createSentences } = await import('../../voice/sentences.ts');
  const sentences = createSentences();
  for await (const event of reply) {
    if (event.type === 'delta') yield* sentences.add(event.content);
    else if (event.type === 'error') {
      if (event.code === 'cancelled') throw notFound();
      const { message, retryAfterSeconds } = event;
      throw new AppError(event.isInterrupted ? 'unavailable' : event.code, {
        message,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      });
    } else {
      yield* sentences.end();
      await markDelivered(ctx, reply.accepted.generationId);
    }
  }
}
