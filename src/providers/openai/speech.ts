import { once } from 'node:events';
import { addAbortSignal, PassThrough, type Readable } from 'node:stream';
import { AppError } from '../../core/errors.ts';
import type { SpeechRequest, SpeechSynthesizer } from '../../voice/voice.ports.ts';
import { type OpenAiOptions, openAiClient } from './client.ts';
import { toAppError } from './errors.ts';
import { ProviderError } from './failures.ts';
import { retryCall } from './retries.ts';
import { streamFetch, streamOf } from './stream-fetch.ts';

interface SpeechOptions extends OpenAiOptions {
  model: string;
  /** Timeout from the call to the first audio, including retries and their delays. */
  firstByteTimeoutMs: number;
  /** Maximum gap in the audio, in milliseconds. */
  idleTimeoutMs: number;
}

/** Maximum weight of a part. The API accepts 4,096 characters, and its models 2,000 tokens. */
const maxPartWeight = 4_000;

/**
 * Creates a synthesizer on the speech endpoint of OpenAI or any compatible provider. Audio is streamed. OpenAI removes
 * its own speech models on 2027-01-06.
 * @see https://developers.openai.com/api/docs/deprecations
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
      const limits = { deadlineMs: performance.now() + firstByteTimeoutMs, signal: upstream.signal };
      return begun(await retryCall(() => open(request, upstream.signal), limits), upstream);
    });
    return passOn(sound, upstream, idleTimeoutMs);
  } catch (error) {
    upstream.end();
    throw error;
  }
}

/**
 * Returns the body of a response once it has audio.
 * @throws AppError for a response that is empty or is not audio, such as an error page of a gateway
 */
async function begun(response: Response, upstream: Abortable): Promise<Readable> {
  const sound = streamOf(response);
  if (!sound) throw new ProviderError('malformed', { detail: 'not audio' });
  // The SDK's own abort of a started body stops working when its Response is garbage-collected.
  addAbortSignal(upstream.signal, sound);
  // An empty body may have ended already, and then emits only `end`.
  if (sound.readableLength === 0) await Promise.race([once(sound, 'readable'), once(sound, 'end')]);
  if (sound.readableLength === 0) throw new ProviderError('no_content');
  return sound;
}

/**
 * Streams audio to the client. Fails as the port specifies, and with a timeout if the provider stalls while the client
 * is reading.
 */
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
  // The reader receives the failure. Without a reader the error must not be unhandled.
  speech.on('error', () => undefined);
  return sound.pipe(speech);
}

interface Abortable {
  signal: AbortSignal;
  /** Runs `step` with a timeout. Rejects with an AppError, or the caller's own abort. */
  within<T>(timeoutMs: number, step: () => Promise<T>): Promise<T>;
  /** Converts a failure: the caller's own abort reason, else an AppError. */
  explain(error: unknown): Error;
  /** Aborts the call. */
  end(): void;
}

/** Shared, because creating an error for each ended call costs more than ending the call. */
const callEnded = new Error('the call is over');

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
      own.abort(callEnded);
    },
  };
}
