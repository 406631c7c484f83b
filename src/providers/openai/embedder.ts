import { setTimeout as sleep } from 'node:timers/promises';
import type { Embedder } from '../../knowledge/embedder.ports.ts';
import { AppError } from '../../core/errors.ts';
import { type OpenAiOptions, openAiClient } from './client.ts';
import { isRetryable, retryAfterMs, toAppError } from './errors.ts';

interface EmbedderOptions extends OpenAiOptions {
  /** The provider's name of the model. */
  model: string;
  dimensions: number;
}

/** 100 chunks of 400 tokens are far below the 300,000 tokens and 2,048 texts that OpenAI takes in one call. */
const batchSize = 100;
const batchTimeoutMs = 30_000;
const batchRetries = 4;
const questionTimeoutMs = 2_500;
const questionRetries = 1;
const firstRetryDelayMs = 300;

/** Embeddings of OpenAI or any provider of the same protocol. */
export function createOpenAiEmbedder({ model, dimensions, ...options }: EmbedderOptions): Embedder {
  const client = openAiClient(options);

  const call = async (texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> => {
    const { data } = await (
      await client()
    ).embeddings.create({ model, dimensions, input: [...texts], encoding_format: 'base64' }, { signal });
    const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => asVector(embedding));
    // A provider that ignores the size asked for would fill the space with what can't be compared.
    if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== dimensions)) {
      throw new AppError('upstream_error', {
        message: 'The model provider answered with other vectors than were asked for.',
      });
    }
    return vectors;
  };

  return {
    space: `${model}:${dimensions}`,
    batchSize,
    embed: (texts, signal) =>
      withRetries((inner) => call(texts, inner), { retries: batchRetries, timeoutMs: batchTimeoutMs, signal }),
    embedQuestion: async (text, signal) => {
      const limits = { retries: questionRetries, timeoutMs: questionTimeoutMs, signal };
      const [vector] = await withRetries((inner) => call([text], inner), limits);
      return vector ?? new Float32Array(dimensions);
    },
  };
}

interface Limits {
  retries: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

async function withRetries<T>(call: (signal: AbortSignal) => Promise<T>, limits: Limits): Promise<T> {
  const { retries, timeoutMs, signal } = limits;
  const deadline = performance.now() + timeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  for (let retry = 0; ; retry++) {
    try {
      return await call(either);
    } catch (error) {
      signal?.throwIfAborted();
      if (timeout.aborted) throw new AppError('upstream_timeout', { cause: error });
      const waitMs = retryAfterMs(error) ?? firstRetryDelayMs * 2 ** retry * (1 - Math.random() / 4);
      if (retry === retries || !isRetryable(error) || performance.now() + waitMs >= deadline) throw toAppError(error);
      await sleep(waitMs, undefined, { signal: either }).catch(() => undefined);
    }
  }
}

/** The SDK types only the form that it asks for by itself. */
function asVector(embedding: unknown): Float32Array {
  const values = typeof embedding === 'string' ? fromBase64(embedding) : Float32Array.from(embedding as number[]);
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  // Shortened vectors of some models are not of length 1, on which cosines by products rely.
  if (length > 0) for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) / length;
  return values;
}

function fromBase64(text: string): Float32Array {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64');
  const numbers = new DataView(buffer, byteOffset, length);
  const values = new Float32Array(length >>> 2);
  for (let i = 0; i < values.length; i++) values[i] = numbers.getFloat32(i * 4, true);
  return values;
}
