import { failDocument, processDocument } from '../src/knowledge/process-document.ts';
import type { Job } from './job.ts';

/** Text, chunks and vectors of an uploaded document. What its own fault is ends it at once; the rest is tried three times. */
export const processUploadedDocument: Job<{ documentId: string }> = {
  kind: 'document.process',
  concurrency: 2,
  timeoutMs: 120_000,
  retryDelaysSeconds: [5, 30],
  handle: (ctx, { documentId }, run) => processDocument(ctx, documentId, run),
  failed: (ctx, { documentId }) =>
    failDocument(ctx, documentId, 'processing_failed', 'Processing failed three times. Try again in a while.'),
};
