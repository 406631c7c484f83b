import { reEmbedDocument } from '../src/knowledge/re-embed-document.ts';
import type { Job } from './job.ts';

/** One document, after a change of the embedding model. */
export const reEmbedReadyDocument: Job<{ documentId: string }> = {
  kind: 'document.re-embed',
  concurrency: 1,
  timeoutMs: 120_000,
  handle: (ctx, { documentId }, run) => reEmbedDocument(ctx, documentId, run),
};
