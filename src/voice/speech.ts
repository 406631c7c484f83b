import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import type { VoiceId } from '../agents/voices.ts';
import { joinMp3 } from './mp3-join.ts';
import { splitIntoParts } from './speech-parts.ts';
import { synthesizeSpeechInput } from './voice.input.ts';

/**
 * Synthesizes a text as MP3. Resolves with the first bytes. Aborting `signal`, or leaving the iteration, aborts the
 * provider's work. @throws AppError `invalid_request`, `rate_limited`, `upstream_error`, `upstream_timeout`
 */
export function synthesizeSpeech(ctx: Ctx, input: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const { text, voiceId } = parseInput(synthesizeSpeechInput, input);
  return speak(ctx, text, voiceId, signal);
}

/** Synthesizes a text of any length in one voice: parts are requested one ahead and joined. */
export async function speak(
  ctx: Ctx,
  text: string,
  voiceId: VoiceId,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { speech } = ctx.ports;
  const voice = ctx.config.voices[voiceId].providerVoice;
  const [first, ...later] = splitIntoParts(text, speech.maxPartWeight);
  if (first === undefined) throw new AppError('invalid_request', { message: 'There is nothing to speak.' });
  if (later.length === 0) return speech.synthesize({ text: first, voice, signal });
  const left = new AbortController();
  const anySignal = AbortSignal.any([signal, left.signal]);
  const synthesize = (part: string) => speech.synthesize({ text: part, voice, signal: anySignal });
  return untilLeft(joinMp3(inTurn(await synthesize(first), later, synthesize)), left);
}

/** Yields one part after another. The next one is requested while one is read. */
async function* inTurn(
  first: AsyncIterable<Uint8Array>,
  later: readonly string[],
  synthesize: (part: string) => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<AsyncIterable<Uint8Array>> {
  let current = first;
  for (const part of later) {
    const next = synthesize(part);
    // Its failure is thrown when it is awaited, or never if the listener leaves before.
    next.catch(() => undefined);
    yield current;
    current = await next;
  }
  yield current;
}

async function* untilLeft(audio: AsyncIterable<Uint8Array>, left: AbortController): AsyncGenerator<Uint8Array> {
  try {
    yield* audio;
  } finally {
    left.abort();
  }
}
