import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import type { VoiceId } from '../core/voices.ts';
import { joinMp3 } from './mp3-join.ts';
import { splitIntoParts } from './speech-parts.ts';
import { synthesizeSpeechInput } from './voice.input.ts';

/**
 * The text as MP3, settled once its first bytes are there. Aborting `signal`, or leaving the iteration, ends the
 * provider's work. @throws AppError `invalid_request`, `rate_limited`, `upstream_error`, `upstream_timeout`
 */
export function synthesizeSpeech(ctx: Ctx, input: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const { text, voiceId } = parseInput(synthesizeSpeechInput, input);
  return speak(ctx, text, voiceId, signal);
}

/** Any length of text in one voice: parts are asked for one ahead, and joined. */
export async function speak(
  ctx: Ctx,
  text: string,
  voiceId: VoiceId,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { speech } = ctx.ports;
  const voice = ctx.config.voice.voices[voiceId].providerVoice;
  const [first, ...later] = splitIntoParts(text, speech.maxPartWeight);
  if (first === undefined) throw new AppError('invalid_request', { message: 'There is nothing to speak.' });
  if (later.length === 0) return speech.synthesize({ text: first, voice, signal });
  const left = new AbortController();
  const anySignal = AbortSignal.any([signal, left.signal]);
  const synthesize = (part: string) => speech.synthesize({ text: part, voice, signal: anySignal });
  return untilLeft(joinMp3(inTurn(await synthesize(first), later, synthesize)), left);
}

/** One part after the other; while one is read the next is already asked for. */
async function* inTurn(
  first: AsyncIterable<Uint8Array>,
  later: readonly string[],
  synthesize: (part: string) => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<AsyncIterable<Uint8Array>> {
  let current = first;
  for (const part of later) {
    const next = synthesize(part);
    // Its failure is met when its turn comes, or never when the listener leaves before.
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
