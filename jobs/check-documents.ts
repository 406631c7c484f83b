import { requestReEmbedding } from '../src/knowledge/re-embed-document.ts';
import { removeStrays } from '../src/knowledge/remove-strays.ts';
import type { Job } from './job.ts';

/**
 * Every ten minutes, and at a start: what lost its document goes, and documents whose vectors are of another model are
 * embedded again.
 */
export const checkDocuments: Job = {
  kind: 'document.check',
  everyMs: 600_000,
  // Another model comes with a start, and until their turn documents are found by words alone.
  atStart: true,
  concurrency: 1,
  handle: async (ctx, _payload, { signal }) => {
    const outdated = await requestReEmbedding(ctx);
    if (outdated > 0) ctx.log.info({ outdated }, 'documents are embedded again');
    const strays = await removeStrays(ctx, signal);
    if (strays.files + strays.vectors + strays.chunks > 0)
      ctx.log.warn({ strays }, 'removed what had lost its document');
  },
};
