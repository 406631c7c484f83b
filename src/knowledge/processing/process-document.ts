import type { Ctx } from '../../core/ctx.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { DocumentFailure } from '../document-failure.ts';
import { type Document, documentColumns } from '../document.ts';
import { lockReplacedForRemoval, removeReplaced } from '../replaced-document.ts';
import { addMissing, startEmbedding } from './embed-chunks.ts';
import { splitDocument } from './split-document.ts';
import type { DocumentVectors } from '../retrieval/vector-store.ports.ts';

const start = {
  name: 'document_start',
  text: `
    with d as (
      update documents set started_at = coalesce(started_at, now()) where id = $1 and status = 'processing' returning *
    )
    select ${documentColumns} from d`,
};

/**
 * Processes an uploaded document (text, chunks, vectors) until it is `ready`. Resumes after an interruption and never
 * creates a chunk twice, because a chunk's id is derived from its document and position.
 */
export async function processDocument(ctx: Ctx, documentId: string, run: TaskRun): Promise<void> {
  const [document] = await ctx.sql<Document>(start, [documentId]);
  if (!document) return;
  try {
    const target = { agentId: document.agentId, documentId, space: ctx.ports.embedder.space };
    const total = await embedWhole(ctx, document, target, run);
    await ctx.ports.vectors.settle(target, total, run.signal);
    await inTransaction(ctx, async (tx) => {
      await run.complete(tx);
      if (document.replaces) await lockReplacedForRemoval(tx, document.replaces);
      const [finished] = await tx.sql(finish, [documentId, target.space]);
      if (finished && document.replaces) await removeReplaced(tx, document.replaces);
    });
  } catch (error) {
    if (!(error instanceof DocumentFailure)) throw error;
    ctx.log.info({ documentId, code: error.code, err: error.cause }, 'a document is unreadable');
    await inTransaction(ctx, async (tx) => {
      await run.complete(tx);
      await failDocument(tx, documentId, error.code, error.message);
    });
  }
}

// The database's clock may have been set back since the start.
const endOf = 'greatest(now(), started_at)';

const finish = {
  name: 'document_finish',
  text: `
    with ready as (
      update documents set status = 'ready', chunks_done = chunks_total, space = $2, completed_at = ${endOf}
      where id = $1 and status = 'processing' returning agent_id
    )
    insert into agent_vector_versions (agent_id, version) select agent_id, 1 from ready
    on conflict (agent_id) do update set version = agent_vector_versions.version + 1 returning 1 as finished`,
};
const fail = {
  name: 'document_fail',
  text: `
    update documents set status = 'failed', error_code = $2, error_message = $3, completed_at = ${endOf}
    where id = $1 and status = 'processing' returning owner_id as "ownerId"`,
};

/** Maximum number of failed documents an account can keep. They do not count against the plan. */
const maxFailedDocuments = 20;
const removeExcess = {
  name: 'documents_remove_excess_failed',
  text: `
    delete from documents where id = any (array(
      select id from documents where owner_id = $1 and status = 'failed'
      order by completed_at desc, id desc offset ${maxFailedDocuments}))`,
};

/**
 * Marks a document as failed with a reason for its owner. Removes the account's oldest failed documents beyond
 * `maxFailedDocuments`.
 */
export async function failDocument(ctx: Ctx, documentId: string, code: string, message: string): Promise<void> {
  const [failed] = await ctx.sql<{ ownerId: string }>(fail, [documentId, code, message]);
  if (failed) await ctx.sql(removeExcess, [failed.ownerId]);
}

/** Embeds the chunks, after splitting the text unless an earlier attempt has done it. Returns the number of chunks. */
async function embedWhole(ctx: Ctx, document: Document, target: DocumentVectors, run: TaskRun): Promise<number> {
  const failed = new AbortController();
  const signal = AbortSignal.any([run.signal, failed.signal]);
  const embedding = await startEmbedding(ctx, target, { signal, heartbeat: () => run.heartbeat() });
  try {
    if (document.chunksTotal === null) return await splitDocument(ctx, document, run.signal, embedding);
    await addMissing(ctx, document.id, embedding);
    return document.chunksTotal;
  } catch (error) {
    failed.abort(error);
    throw error;
  } finally {
    await embedding.end();
  }
}
