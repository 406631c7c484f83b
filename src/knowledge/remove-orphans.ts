import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { isId } from '../core/ids.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';

const kinds = ['files', 'vectors', 'chunks'] as const;

/** Data that a document can leave behind as orphans. */
export type OrphanKind = (typeof kinds)[number];

interface DocumentOf {
  documentId: string;
  agentId: string;
}

const batchSize = 500;

// While an upload is stored, its `document.abandon` task exists. The transaction that creates the document withdraws
// the task. One statement sees the task or the document, so an upload is never mistaken for an orphan, independent of
// clocks.
const findUnknown = {
  name: 'documents_unknown',
  text: `
    select g.id from unnest($1::text[]) as g (id)
    where not exists (select from documents d where d.id = g.id)
      and not exists (select from tasks t where t.kind = 'document.abandon' and t.key = g.id and t.state <> 'failed')`,
};
// Uses one index probe per document, however many chunks it has.
const listDocumentsOfChunks = {
  name: 'chunks_list_documents',
  text: `
    with recursive found as (
      (select document_id, agent_id from chunks where document_id > $1 order by document_id limit 1)
      union all
      select later.* from found, lateral (
        select c.document_id, c.agent_id from chunks c where c.document_id > found.document_id
        order by c.document_id limit 1) later
    )
    select document_id as "documentId", agent_id as "agentId" from found limit ${batchSize}`,
};
const countRemoved = {
  name: 'orphans_count',
  text: `
    insert into document_strays (kind, removed) values ($1, $2::bigint)
    on conflict (kind) do update set removed = document_strays.removed + excluded.removed`,
};
const readRemoved = { name: 'orphans_read', text: `select kind, removed from document_strays` };

/**
 * Finds files, vectors or chunks of documents that do not exist, and enqueues their removal as if the document had just
 * been deleted. Normally there are none. Returns the number of such documents.
 */
export async function removeOrphans(ctx: Ctx, kind: OrphanKind, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for await (const batch of batches(sources[kind](ctx))) {
    signal.throwIfAborted();
    removed += await removeUnknown(ctx, kind, batch);
  }
  return removed;
}

/** Returns the total number of orphans that `removeOrphans` has found on all instances. */
export async function countRemovedOrphans(ctx: Ctx): Promise<{ kind: OrphanKind; removed: number }[]> {
  const rows = await ctx.sql<{ kind: OrphanKind; removed: number }>(readRemoved);
  return kinds.map((kind) => rows.find((row) => row.kind === kind) ?? { kind, removed: 0 });
}

const sources: Record<OrphanKind, (ctx: Ctx) => AsyncIterable<DocumentOf>> = {
  files: documentsOfFiles,
  vectors: (ctx) => ctx.ports.vectors.documents(),
  chunks: documentsOfChunks,
};

/** Yields the documents named by the keys of originals, `agents/<agent>/<document>`. */
async function* documentsOfFiles(ctx: Ctx): AsyncGenerator<DocumentOf> {
  for await (const key of ctx.ports.files.list('agents')) {
    const [, agentId = '', documentId = '', ...more] = key.split('/');
    if (more.length === 0 && isId('doc_', documentId)) yield { agentId, documentId };
  }
}

async function* documentsOfChunks(ctx: Ctx): AsyncGenerator<DocumentOf> {
  for (let last = ''; ;) {
    const page = await ctx.sql<DocumentOf>(listDocumentsOfChunks, [last]);
    yield* page;
    const end = page.at(-1);
    if (!end || page.length < batchSize) return;
    last = end.documentId;
  }
}

async function removeUnknown(ctx: Ctx, kind: OrphanKind, candidates: readonly DocumentOf[]): Promise<number> {
  const unknown = await ctx.sql<{ id: string }>(findUnknown, [candidates.map(({ documentId }) => documentId)]);
  if (unknown.length === 0) return 0;
  const ids = new Set(unknown.map(({ id }) => id));
  await inTransaction(ctx, async (tx) => {
    for (const orphan of candidates.filter(({ documentId }) => ids.has(documentId)))
      await enqueueTask(tx, 'document.remove', orphan, { key: orphan.documentId, maxAttempts: 1_000 });
    await tx.sql(countRemoved, [kind, ids.size]);
  });
  return ids.size;
}

async function* batches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    if (batch.push(item) < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
