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
  if (first === undefined) throw new AppError('invalid_request', { message: 'The text contains nothing to speak.' });
  if (later.length === 0) return speech.synthesize({ text: first, voice, signal });
  const left = new AbortController();
  const anySignal = AbortSignal.any([signal, left.signal]);
  const synthesize: Synthesize = (part) => speech.synthesize({ text: part, voice, signal: anySignal });
  return untilLeft(joinMp3(inTurn(later, synthesize, await synthesize(first))), left);
}

/**
 * Synthesizes sentences as they are written, each once it is there and one ahead of the listener, joined to one MP3.
 * Aborting `signal`, or leaving the iteration, aborts the provider's work. The iteration rejects like `synthesizeSpeech`.
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

/** Yields the sound of one part after another. The next one is requested while one is read. */
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
    // Its failure is thrown when it is awaited, or never if the listener leaves before.
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
