import { removeDocument } from '../src/knowledge/remove-document.ts';
import type { Job } from './job.ts';

/** Chunks, vectors and file of a deleted document: a trigger of the database writes these tasks. Tried until all is gone. */
export const removeDeletedDocument: Job<{ documentId: string; agentId: string }> = {
  kind: 'document.remove',
  concurrency: 4,
  retryDelaysSeconds: [2, 5, 15, 60],
  handle: (ctx, { documentId, agentId }, { signal }) => removeDocument(ctx, documentId, agentId, signal),
};
