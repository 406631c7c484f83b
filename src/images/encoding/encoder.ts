import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { AppError } from '../../core/errors.ts';
import { watchProcess } from '../../core/process/process-limits.ts';
import { type EncodedImage, type EncodeRequest, type ImageEncoder, ImageFailure } from './encoder.ports.ts';
import type { EncodeAnswer, EncodeMessage } from './encoder.worker.ts';
import { encoderMemoryBytes, encodeTimeoutMs, maxDecodes, maxWaitingDecodes } from './image-limits.ts';

// The worker module next to this file, compiled or not.
const worker = fileURLToPath(
  new URL(`./encoder.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);
const heapMb = 64;
/** Starting the process takes a fifth of a second, so it is kept for the next picture. */
const idleMs = 30_000;

interface Running {
  child: ChildProcess;
  waiting: Map<number, PromiseWithResolvers<EncodedImage>>;
}

/** The process ended while it worked on several pictures, so any of them may be the cause. */
class EndedWithOthers extends Error {}

/** Creates an encoder. Its process starts with the first picture and ends after an idle period. */
export function createImageEncoder(log: Logger): ImageEncoder {
  const decodes = pLimit(maxDecodes);
  let running: Running | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const start = (): Running => {
    const child = fork(worker, {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=2', '--no-warnings'],
      // The environment contains no secrets of the service. One arena, with pictures allocated outside it, returns
      // freed memory to the system. Pixel rows are smaller than the threshold and stay in the arena, because they are
      // allocated a hundred times per picture.
      env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const started: Running = { child, waiting: new Map() };
    const watch = watchProcess(child, { memoryBytes: encoderMemoryBytes, cpuMs: Infinity, wallMs: Infinity });
    child.on('message', (answer: EncodeAnswer) => {
      const waiter = started.waiting.get(answer.id);
      started.waiting.delete(answer.id);
      if ('image' in answer) waiter?.resolve(answer.image);
      else waiter?.reject(new ImageFailure(answer.failure));
    });
    const end = (reason: unknown): void => {
      watch.stop();
      if (running === started) running = null;
      const { size } = started.waiting;
      if (size > 0) log.warn({ reason, exceeded: watch.exceeded() }, 'the image process ended early');
      for (const waiter of started.waiting.values())
        waiter.reject(size > 1 ? new EndedWithOthers() : new ImageFailure('unreadable'));
      started.waiting.clear();
    };
    child.once('error', end);
    child.once('exit', (code, signal) => end(signal ?? code));
    child.unref();
    child.channel?.unref();
    return started;
  };

  const encodeNow = async ({ read, minEdge = 1, ...wanted }: EncodeRequest): Promise<EncodedImage> => {
    const source = await read();
    const current = (running ??= start());
    clearTimeout(idle);
    const id = ++lastId;
    const waiter = Promise.withResolvers<EncodedImage>();
    current.waiting.set(id, waiter);
    current.child.send({ ...wanted, id, source, minEdge } satisfies EncodeMessage, (error) => {
      if (error) waiter.reject(error);
    });
    const timer = setTimeout(() => {
      waiter.reject(new ImageFailure('unreadable'));
      current.child.kill('SIGKILL');
    }, encodeTimeoutMs);
    try {
      return await waiter.promise;
    } finally {
      clearTimeout(timer);
      current.waiting.delete(id);
      endWhenIdle();
    }
  };

  /**
   * Encodes a picture again by itself, so that a picture that ends the process does not make another user's picture
   * fail.
   */
  const encodeAgain = async (request: EncodeRequest, error: unknown): Promise<EncodedImage> => {
    if (!(error instanceof EndedWithOthers)) throw error;
    return encodeNow(request).catch((again: unknown) => {
      throw again instanceof EndedWithOthers ? new AppError('unavailable', { cause: again }) : again;
    });
  };

  const endWhenIdle = (): void => {
    clearTimeout(idle);
    if (running?.waiting.size !== 0) return;
    idle = setTimeout(() => {
      running?.child.disconnect();
      running = null;
    }, idleMs).unref();
  };

  return {
    prepare: () => {
      running ??= start();
      endWhenIdle();
    },
    encode: async (request) => {
      if (decodes.pendingCount >= maxWaitingDecodes) {
        throw new AppError('unavailable', {
          message: 'Too many images are being processed right now. Try again in a moment.',
          retryAfterSeconds: 5,
        });
      }
      return decodes(() => encodeNow(request).catch((error: unknown) => encodeAgain(request, error)));
    },
    stop: () => {
      clearTimeout(idle);
      running?.child.kill('SIGKILL');
    },
  };
}
