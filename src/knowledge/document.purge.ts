import type { PurgeStep } from '../core/feature.ts';
import { removeDocument } from './remove-document.ts';

const listDocuments = {
  name: 'purge_documents',
  text: `
    select d.id, d.agent_id as "agentId" from documents d join agents a on a.id = d.agent_id
    where a.owner_id = $1 and d.id > $2 order by d.id limit 100`,
};

/**
 * Removes the originals, chunks and vectors of an account's documents. Foreign keys cannot do it, because vectors may
 * be in another service.
 */
export const purgeDocuments: PurgeStep = {
  name: 'documents',
  purge: async (ctx, userId, signal) => {
    let documents = 0;
    for (let after = ''; ;) {
      const page = await ctx.sql<{ id: string; agentId: string }>(listDocuments, [userId, after]);
      for (const { id, agentId } of page) await removeDocument(ctx, id, agentId, signal);
      documents += page.length;
      const last = page.at(-1);
      if (!last) return { document_files: documents };
      after = last.id;
    }
  },
};
