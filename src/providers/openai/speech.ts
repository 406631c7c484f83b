import { AppError } from '../../core/errors.ts';
import type { SpeechRequest, SpeechSynthesizer } from '../../voice/voice.ports.ts';
import { type OpenAiOptions, openAiClient } from './client.ts';
import { toAppError } from './errors.ts';
import { openWithRetries } from './retries.ts';

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
  const client = openAiClient(options);
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
): Promise<AsyncIterable<Uint8Array>> {
  const { signal } = request;
  signal.throwIfAborted();
  const upstream = abortable(signal);
  try {
    const reader = await upstream.within(firstByteTimeoutMs, async () => {
      const deadline = performance.now() + firstByteTimeoutMs;
      return bodyOf(await openWithRetries(() => open(request, upstream.signal), deadline, upstream.signal));
    });
    const first = await upstream.within(firstByteTimeoutMs, () => reader.read());
    // no sound at all is no speech
    if (first.done) throw new AppError('upstream_error');
    return passOn(first.value, reader, upstream, idleTimeoutMs);
  } catch (error) {
    upstream.end();
    throw error;
  }
}

async function* passOn(
  first: Uint8Array,
  reader: Reader,
  upstream: Abortable,
  idleTimeoutMs: number,
): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (;;) {
      const { done, value } = await upstream.within(idleTimeoutMs, () => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    upstream.end();
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** @throws AppError for an answer that is no audio, such as the page of a gateway */
function bodyOf(response: Response): Reader {
  const type = response.headers.get('content-type') ?? '';
  if (!response.body || /json|text\//i.test(type)) throw new AppError('upstream_error');
  return response.body.getReader();
}

interface Abortable {
  signal: AbortSignal;
  /** Waits for `step` at most so long; failures come as AppErrors, or as the caller's own abort. */
  within<T>(timeoutMs: number, step: () => Promise<T>): Promise<T>;
  /** Hangs up. */
  end(): void;
}

function abortable(caller: AbortSignal): Abortable {
  const own = new AbortController();
  const abort = () => own.abort();
  caller.addEventListener('abort', abort, { once: true });
  let isTimedOut = false;
  return {
    signal: own.signal,
    within: async (timeoutMs, step) => {
      const timer = setTimeout(() => {
        isTimedOut = true;
        own.abort();
      }, timeoutMs);
      try {
        return await step();
      } catch (error) {
        caller.throwIfAborted();
        throw isTimedOut ? new AppError('upstream_timeout') : toAppError(error);
      } finally {
        clearTimeout(timer);
      }
    },
    end: () => {
      caller.removeEventListener('abort', abort);
      own.abort();
    },
  };
}
