import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { DocumentChunk } from './chunk-document.ts';
import { DocumentFailure, type DocumentFailureCode } from '../document-failure.ts';
import type { DocumentFormat } from '../document-format.ts';
import { readJsonLines } from '../../core/json-lines.ts';
import { type ProcessLimits, watchProcess } from '../../core/process/process-limits.ts';
import type { Reading } from '../extract/reading.ts';
import type { ChunkSize } from './split-text.ts';

/** Messages of the extraction process, one line of JSON each. */
export type ExtractionMessage =
  | { type: 'read'; language: string; reading: Reading }
  | { type: 'chunks'; chunks: DocumentChunk[] }
  | { type: 'failure'; code: DocumentFailureCode; message: string }
  | { type: 'end' };

export interface ExtractionRequest {
  format: DocumentFormat;
  /** Encoding that the owner stated; null when it has to be found. */
  encoding: string | null;
  content: Readable;
  size: ChunkSize;
  /** Number of chunks in a batch. The last one may have fewer. */
  batchSize: number;
  signal: AbortSignal;
  limits?: ProcessLimits;
}

export interface ExtractedBatch {
  language: string;
  reading: Reading;
  chunks: DocumentChunk[];
}

/** Limits with a margin: a PDF of 400 pages takes two seconds. */
const defaultLimits: ProcessLimits = { memoryBytes: 512 * 1024 ** 2, cpuMs: 12_000, wallMs: 60_000 };
const heapMb = 384;

// The worker is beside this file, in TypeScript or compiled.
const worker = fileURLToPath(
  new URL(`./extraction.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

/**
 * Yields the chunks of a document in batches, in order. A separate process extracts them, with backpressure; it is
 * killed when it exceeds its time or memory.
 * @throws DocumentFailure when the document is the cause; the signal's reason after an abort
 */
export async function* extractChunks(request: ExtractionRequest): AsyncGenerator<ExtractedBatch> {
  const { format, encoding, content, size, batchSize, signal, limits = defaultLimits } = request;
  signal.throwIfAborted();
  const child = spawn(
    '/bin/sh',
    [
      // Also sets a kernel limit, which still applies if this process is killed.
      '-c',
      `ulimit -t ${Math.ceil(limits.cpuMs / 1_000) + 1} && exec "$@"`,
      'sh',
      process.execPath,
      `--max-old-space-size=${heapMb}`,
      '--no-warnings',
      worker,
      format,
      String(size.tokens),
      String(size.overlapTokens),
      String(batchSize),
      encoding ?? '',
    ],
    { stdio: ['pipe', 'pipe', 'ignore'], env: {} },
  );
  const exited = once(child, 'exit');
  exited.catch(() => undefined);
  const watch = watchProcess(child, limits);
  const abort = () => child.kill('SIGKILL');
  signal.addEventListener('abort', abort, { once: true });
  // A process that exits before it has read all input breaks the pipe. Its exit is examined below.
  let unreadable: unknown;
  const fed = pipeline(content, child.stdin).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') unreadable = error;
    child.kill('SIGKILL');
  });
  try {
    let language = 'simple';
    let reading: Reading = { encoding: null, pages: null, notes: [] };
    for await (const message of readJsonLines<ExtractionMessage>(child.stdout)) {
      if (message.type === 'read') ({ language, reading } = message);
      else if (message.type === 'chunks') yield { language, reading, chunks: message.chunks };
      else if (message.type === 'failure') throw new DocumentFailure(message.code, { message: message.message });
      else return;
    }
    await exited;
    await fed;
    signal.throwIfAborted();
    if (unreadable) throw unreadable as Error;
    throw endedEarly(child, watch.exceeded());
  } finally {
    watch.stop();
    signal.removeEventListener('abort', abort);
    content.destroy();
    child.kill('SIGKILL');
  }
}

/**
 * Returns the error for an early exit. V8 aborts with SIGABRT when the heap is full; any other exit is a fault of the
 * service.
 */
function endedEarly(child: ChildProcess, exceeded: boolean): Error {
  if (exceeded || child.signalCode === 'SIGABRT' || child.signalCode === 'SIGTRAP') {
    return new DocumentFailure('too_complex');
  }
  return new Error(`the extraction process ended early (code ${child.exitCode}, signal ${child.signalCode})`);
}
