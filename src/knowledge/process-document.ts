import type { Ctx } from '../core/ctx.ts';
import type { TaskRun } from '../core/task-handler.ts';
import { inTransaction } from '../core/transaction.ts';
import { DocumentFailure } from './document-failure.ts';
import { type Document, documentColumns } from './document.ts';
import { addMissing, startEmbedding } from './embed-chunks.ts';
import { splitDocument } from './split-document.ts';
import type { VectorPlace } from './vector-store.ports.ts';

const start = {
  name: 'document_start',
  text: `
    with d as (
      update documents set started_at = coalesce(started_at, $2) where id = $1 and status = 'processing' returning *
    )
    select ${documentColumns} from d`,
};

/**
 * Brings a document from its upload to `ready`: text, chunks, vectors. Run again after it was cut short it goes on where
 * it was, and never makes a chunk twice, because a chunk's id follows from its document and its place in it.
 */
export async function processDocument(ctx: Ctx, documentId: string, run: TaskRun): Promise<void> {
  const [document] = await ctx.sql<Document>(start, [documentId, ctx.clock.now()]);
  if (!document) return;
  try {
    const place = { agentId: document.agentId, documentId, space: ctx.ports.embedder.space };
    const total = await embedWhole(ctx, document, place, run);
    await ctx.ports.vectors.settle(place, total, run.signal);
    await inTransaction(ctx, async (tx) => {
      await run.complete(tx);
      await tx.sql(finish, [documentId, place.space, tx.clock.now()]);
    });
  } catch (error) {
    if (!(error instanceof DocumentFailure)) throw error;
    ctx.log.info({ documentId, code: error.code, err: error.cause }, 'a document could not be read');
    await inTransaction(ctx, async (tx) => {
      await run.complete(tx);
      await failDocument(tx, documentId, error.code, error.message);
    });
  }
}

const finish = {
  name: 'document_finish',
  text: `
    with ready as (
      update documents set status = 'ready', chunks_done = chunks_total, space = $2, completed_at = $3
      where id = $1 and status = 'processing' returning agent_id
    )
    insert into agent_vector_versions (agent_id, version) select agent_id, 1 from ready
    on conflict (agent_id) do update set version = agent_vector_versions.version + 1`,
};
const fail = {
  name: 'document_fail',
  text: `
    update documents set status = 'failed', error_code = $2, error_message = $3, completed_at = $4
    where id = $1 and status = 'processing'`,
};

/** Ends the processing of a document with a reason that its owner reads. */
export async function failDocument(ctx: Ctx, documentId: string, code: string, message: string): Promise<void> {
  await ctx.sql(fail, [documentId, code, message, ctx.clock.now()]);
}

/** Embeds the chunks, while they are being split off if that has not been done. Answers how many there are. */
async function embedWhole(ctx: Ctx, document: Document, place: VectorPlace, run: TaskRun): Promise<number> {
  const failed = new AbortController();
  const signal = AbortSignal.any([run.signal, failed.signal]);
  const embedding = await startEmbedding(ctx, place, { signal, heartbeat: () => run.heartbeat() });
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
