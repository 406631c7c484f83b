import type { Ctx } from '../core/ctx.ts';
import { documentFileKey } from './document.ts';

const batchSize = 2_000;
const countChunks = {
  name: 'chunks_positions',
  text: `select coalesce(max(position) + 1, 0) as count from chunks where document_id = $1`,
};
const deleteChunks = {
  name: 'chunks_delete',
  text: `
    delete from chunks where ctid = any (array(select ctid from chunks where document_id = $1 limit ${batchSize}))
    returning 1 as gone`,
};

/** Removes the chunks, vectors and file of a deleted document. Idempotent. */
export async function removeDocument(
  ctx: Ctx,
  documentId: string,
  agentId: string,
  signal: AbortSignal,
): Promise<void> {
  await ctx.ports.files.delete(documentFileKey({ agentId, id: documentId }));
  const [chunks] = await ctx.sql<{ count: number }>(countChunks, [documentId]);
  await ctx.ports.vectors.deleteDocument({ agentId, documentId }, { count: chunks?.count ?? 0 });
  for (;;) {
    signal.throwIfAborted();
    const gone = await ctx.sql(deleteChunks, [documentId]);
    if (gone.length < batchSize) return;
  }
}
