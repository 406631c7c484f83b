import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import type { VoiceId } from '../agents/voices.ts';
import { joinMp3 } from './mp3-join.ts';
import { splitIntoParts } from './speech-parts.ts';
import { synthesizeSpeechInput } from './voice.input.ts';

/**
 * Synthesizes a text of at most 5,000 characters as MP3. Resolves with the first bytes. Aborting `signal` or ending the
 * iteration early cancels the provider's request.
 * @throws AppError `invalid_request`, `rate_limited`, `upstream_error`, `upstream_timeout`, also during the iteration
 */
export function synthesizeSpeech(ctx: Ctx, input: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const { text, voiceId } = parseInput(synthesizeSpeechInput, input);
  return speak(ctx, text, voiceId, signal);
}

/**
 * Synthesizes a text of any length in one voice as MP3. A long text is split into parts; the next part is requested
 * while the current one is read.
 * @throws AppError `invalid_request` for a text without anything to speak, `rate_limited`, `upstream_error`,
 * `upstream_timeout`, also during the iteration
 */
export async function speak(
  ctx: Ctx,
  text: string,
  voiceId: VoiceId,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { speech } = ctx.ports;
  const voice = ctx.config.voices[voiceId].providerVoice;
  const [first, ...later] = splitIntoParts(text, speech.maxPartWeight);
  if (first === undefined) throw new AppError('invalid_request', { message: 'The text contains nothing to speak.' });
  if (later.length === 0) return speech.synthesize({ text: first, voice, signal });
  const left = new AbortController();
  const anySignal = AbortSignal.any([signal, left.signal]);
  const synthesize: Synthesize = (part) => speech.synthesize({ text: part, voice, signal: anySignal });
  return untilLeft(joinMp3(inTurn(later, synthesize, await synthesize(first))), left);
}

/**
 * Synthesizes sentences as they are written and joins them to one MP3. The next sentence is requested while the current
 * one is read. Aborting `signal` or ending the iteration early cancels the provider's requests.
 * @throws AppError `rate_limited`, `upstream_error`, `upstream_timeout` during the iteration
 */
export function speakSentences(
  ctx: Ctx,
  sentences: AsyncIterable<string>,
  voiceId: VoiceId,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { speech } = ctx.ports;
  const voice = ctx.config.voices[voiceId].providerVoice;
  const left = new AbortController();
  const anySignal = AbortSignal.any([signal, left.signal]);
  const synthesize: Synthesize = (part) => speech.synthesize({ text: part, voice, signal: anySignal });
  async function* parts(): AsyncGenerator<string> {
    for await (const sentence of sentences) yield* splitIntoParts(sentence, speech.maxPartWeight);
  }
  return untilLeft(joinMp3(inTurn(parts(), synthesize)), left);
}

type Sound = AsyncIterable<Uint8Array>;
type Synthesize = (part: string) => Promise<Sound>;

/** Yields the audio of each part in order. The next part is requested while the current one is read. */
async function* inTurn(
  parts: Iterable<string> | AsyncIterable<string>,
  synthesize: Synthesize,
  first?: Sound,
): AsyncGenerator<Sound> {
  const texts = (async function* () {
    yield* parts;
  })();
  const request = async (): Promise<Sound | null> => {
    const { done, value } = await texts.next();
    return done ? null : synthesize(value);
  };
  let next = first ? Promise.resolve<Sound | null>(first) : request();
  for (let current = await next; current; current = await next) {
    next = request();
    // Prevents an unhandled rejection. The error is thrown when `next` is awaited, or ignored if the listener leaves
    // first.
    next.catch(() => undefined);
    yield current;
  }
}

async function* untilLeft(audio: AsyncIterable<Uint8Array>, left: AbortController): AsyncGenerator<Uint8Array> {
  try {
    yield* audio;
  } finally {
    left.abort();
  }
}
