import { abandonFile } from '../src/knowledge/upload-document.ts';
import type { Job } from './job.ts';

/** The file of an upload that did not become a document: due when the process that received it has died. */
export const abandonUpload: Job<{ documentId: string; agentId: string }> = {
  kind: 'document.abandon',
  retryDelaysSeconds: [2, 5, 15, 60],
  handle: (ctx, { documentId, agentId }) => abandonFile(ctx, { id: documentId, agentId }),
};
