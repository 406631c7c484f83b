import { once } from 'node:events';
import { addAbortSignal, PassThrough, type Readable } from 'node:stream';
import { AppError } from '../../core/errors.ts';
import type { SpeechRequest, SpeechSynthesizer } from '../../voice/voice.ports.ts';
import { type OpenAiOptions, openAiClient } from './client.ts';
import { toAppError } from './errors.ts';
import { openWithRetries } from './retries.ts';
import { streamFetch, streamOf } from './stream-fetch.ts';

interface SpeechOptions extends OpenAiOptions {
  model: string;
  /** From the call to the first audio, retries and their waits included. */
  firstByteTimeoutMs: number;
  /** Of waiting for more audio. */
  idleTimeoutMs: number;
}

/** The interface takes 4,096 characters, its models 2,000 tokens. */
const maxPartWeight = 4_000;

/**
 * The speech endpoint of OpenAI or any provider of the same protocol, passed on as it comes.
 * @see https://developers.openai.com/api/docs/deprecations OpenAI's own models for it leave on 2027-01-06; others go on
 */
export function createOpenAiSpeech(options: SpeechOptions): SpeechSynthesizer {
  const client = openAiClient(options, streamFetch);
  const open = async ({ text, voice }: SpeechRequest, signal: AbortSignal) =>
    (await client()).audio.speech.create(
      { model: options.model, voice, input: text, response_format: 'mp3' },
      { signal },
    );
  return { maxPartWeight, synthesize: (request) => synthesize(request, open, options) };
}

type Open = (request: SpeechRequest, signal: AbortSignal) => Promise<Response>;

async function synthesize(
  request: SpeechRequest,
  open: Open,
  { firstByteTimeoutMs, idleTimeoutMs }: SpeechOptions,
): Promise<Readable> {
  const { signal } = request;
  signal.throwIfAborted();
  const upstream = abortable(signal);
  try {
    const sound = await upstream.within(firstByteTimeoutMs, async () => {
      const deadline = performance.now() + firstByteTimeoutMs;
      return begun(await openWithRetries(() => open(request, upstream.signal), deadline, upstream.signal), upstream);
    });
    return passOn(sound, upstream, idleTimeoutMs);
  } catch (error) {
    upstream.end();
    throw error;
  }
}

/**
 * The body of an answer once there is sound in it.
 * @throws AppError for an answer that is no audio, such as the page of a gateway, or empty: no sound at all is no speech
 */
async function begun(response: Response, upstream: Abortable): Promise<Readable> {
  const sound = streamOf(response);
  if (!sound) throw new AppError('upstream_error');
  // The SDK's own way to a body that has begun holds only as long as its Response is not collected.
  addAbortSignal(upstream.signal, sound);
  // An answer without a body may have ended already, which says `end` and nothing else.
  if (sound.readableLength === 0) await Promise.race([once(sound, 'readable'), once(sound, 'end')]);
  if (sound.readableLength === 0) throw new AppError('upstream_error');
  return sound;
}

/** Sound as it comes, failing as the port says, given up when the provider is silent while somebody would listen. */
function passOn(sound: Readable, upstream: Abortable, idleTimeoutMs: number): Readable {
  const speech = new PassThrough();
  const silence = setTimeout(() => {
    if (speech.writableNeedDrain) silence.refresh();
    else speech.destroy(new AppError('upstream_timeout'));
  }, idleTimeoutMs);
  const heard = () => silence.refresh();
  sound.on('data', heard).on('end', () => clearTimeout(silence));
  sound.on('error', (error) => speech.destroy(upstream.explain(error)));
  speech.on('drain', heard).on('close', () => {
    clearTimeout(silence);
    upstream.end();
  });
  // Whoever reads meets the failure; before anybody does, it is nobody's.
  speech.on('error', () => undefined);
  return sound.pipe(speech);
}

interface Abortable {
  signal: AbortSignal;
  /** Waits for `step` at most so long; failures come as AppErrors, or as the caller's own abort. */
  within<T>(timeoutMs: number, step: () => Promise<T>): Promise<T>;
  /** What a failure means: the caller's own abort as an error, else an AppError. */
  explain(error: unknown): Error;
  /** Hangs up. */
  end(): void;
}

/** Made once: to make an error for each call that has ended costs more than to end it. */
const hungUp = new Error('no more of it is wanted');

function abortable(caller: AbortSignal): Abortable {
  const own = new AbortController();
  const abort = () => own.abort();
  caller.addEventListener('abort', abort, { once: true });
  let isTimedOut = false;
  const explain = (error: unknown): Error => {
    if (!caller.aborted) return isTimedOut ? new AppError('upstream_timeout') : toAppError(error);
    return caller.reason instanceof Error ? caller.reason : new Error('aborted');
  };
  return {
    signal: own.signal,
    explain,
    within: async (timeoutMs, step) => {
      const timer = setTimeout(() => {
        isTimedOut = true;
        own.abort();
      }, timeoutMs);
      try {
        return await step();
      } catch (error) {
        throw explain(error);
      } finally {
        clearTimeout(timer);
      }
    },
    end: () => {
      caller.removeEventListener('abort', abort);
      own.abort(hungUp);
    },
  };
}
