import type { Ctx } from '../../core/ctx.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { type Document, documentColumns } from '../document.ts';
import { addMissing, startEmbedding } from './embed-chunks.ts';

const batchSize = 200;
const findOld = {
  name: 'documents_of_other_spaces',
  text: `select id from documents where status = 'ready' and space is distinct from $1 order by id limit ${batchSize}`,
};

/**
 * Enqueues documents whose vectors are of another embedding model or dimension, in batches of a few hundred. Returns
 * their number.
 */
export async function requestReEmbedding(ctx: Ctx): Promise<number> {
  const old = await ctx.sql<{ id: string }>(findOld, [ctx.ports.embedder.space]);
  for (const { id } of old) await enqueueTask(ctx, 'document.re-embed', { documentId: id }, { key: id });
  return old.length;
}

const readReady = {
  name: 'document_re_embed',
  text: `select ${documentColumns} from documents d where d.id = $1 and d.status = 'ready' and d.space is distinct from $2`,
};
const moveToSpace = {
  name: 'document_move_to_space',
  text: `
    with moved as (update documents set space = $2 where id = $1 and status = 'ready' returning agent_id)
    update agent_vector_versions v set version = v.version + 1 from moved where v.agent_id = moved.agent_id`,
};

/**
 * Embeds a ready document in the current space. Until it has finished, only full text finds the document, never its old
 * vectors.
 */
export async function reEmbedDocument(ctx: Ctx, documentId: string, run: TaskRun): Promise<void> {
  const { space } = ctx.ports.embedder;
  const [document] = await ctx.sql<Document>(readReady, [documentId, space]);
  if (!document) return;
  const target = { agentId: document.agentId, documentId, space };
  const embedding = await startEmbedding(ctx, target, run);
  await addMissing(ctx, documentId, embedding);
  await embedding.end();
  await ctx.ports.vectors.settle(target, document.chunksTotal ?? 0, run.signal);
  await inTransaction(ctx, async (tx) => {
    await tx.sql(moveToSpace, [documentId, space]);
  });
  await ctx.ports.vectors.deleteDocument(target, { count: 0, exceptSpace: space });
}
