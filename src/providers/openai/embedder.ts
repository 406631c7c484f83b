import type { Embedder } from '../../knowledge/retrieval/embedder.ports.ts';
import { type OpenAiOptions, openAiClient } from './client.ts';
import { toAppError } from './errors.ts';
import { ProviderError } from './failures.ts';
import { retryCall } from './retries.ts';

interface EmbedderOptions extends OpenAiOptions {
  /** Name of the model at the provider. */
  model: string;
  dimensions: number;
}

/**
 * Number of texts in a call: 100 chunks of 400 tokens are far below OpenAI's limits of 300,000 tokens and 2,048 texts.
 */
const batchSize = 100;
const batchTimeoutMs = 30_000;
const batchRetries = 4;
const questionTimeoutMs = 2_500;
const questionRetries = 1;

/** Creates an embedder on OpenAI or any compatible provider. */
export function createOpenAiEmbedder({ model, dimensions, ...options }: EmbedderOptions): Embedder {
  const client = openAiClient(options);

  const call = async (texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> => {
    const { data } = await (
      await client()
    ).embeddings.create({ model, dimensions, input: [...texts], encoding_format: 'base64' }, { signal });
    const vectors = data
      .toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
      .map(({ embedding }) => asVector(embedding));
    // Vectors of a provider that ignores the requested dimensions would not be comparable with the others.
    if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== dimensions)) {
      throw new ProviderError('vectors');
    }
    return vectors;
  };

  return {
    space: `${model}:${dimensions}`,
    batchSize,
    embed: (texts, signal) =>
      withRetries((inner) => call(texts, inner), { retries: batchRetries, timeoutMs: batchTimeoutMs, signal }),
    embedQuestion: (texts, signal) =>
      withRetries((inner) => call(texts, inner), { retries: questionRetries, timeoutMs: questionTimeoutMs, signal }),
  };
}

interface Limits {
  retries: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

async function withRetries<T>(call: (signal: AbortSignal) => Promise<T>, limits: Limits): Promise<T> {
  const { retries, timeoutMs, signal } = limits;
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    return await retryCall(() => call(either), {
      maxRetries: retries,
      deadlineMs: performance.now() + timeoutMs,
      signal: either,
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw timeout.aborted ? new ProviderError('timeout') : toAppError(error);
  }
}

/** Validates an embedding. The SDK types only the format that it requests by default. */
function asVector(embedding: unknown): Float32Array {
  const values = typeof embedding === 'string' ? fromBase64(embedding) : Float32Array.from(embedding as number[]);
  let squares = 0;
  for (const value of values) squares += value * value;
  // NaN and infinity are not comparable with anything, and would be stored.
  if (!Number.isFinite(squares)) throw new ProviderError('vectors');
  const length = Math.sqrt(squares);
  // Some models return shortened vectors whose length is not 1. Cosines by dot product require length 1.
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
