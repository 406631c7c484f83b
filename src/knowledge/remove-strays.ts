import type { Ctx } from '../core/ctx.ts';
import { isId } from '../core/ids.ts';
import { enqueueTask } from '../core/tasks.ts';
import { inTransaction } from '../core/transaction.ts';

/** What has lost its document, by kind. */
export interface Strays {
  files: number;
  vectors: number;
  chunks: number;
}

interface Stray {
  documentId: string;
  agentId: string;
}

/** An upload may take two minutes, and is a file before it is a document. */
const youngMs = 10 * 60_000;
const batchSize = 500;

const findUnknown = {
  name: 'documents_unknown',
  text: `select g.id from unnest($1::text[]) as g (id) where not exists (select from documents d where d.id = g.id)`,
};
const chunksWithoutDocument = {
  name: 'chunks_without_document',
  text: `
    select c.document_id as "documentId", min(c.agent_id) as "agentId" from chunks c
    where not exists (select from documents d where d.id = c.document_id) group by 1 limit ${batchSize}`,
};

const countRemoved = {
  name: 'strays_count',
  text: `
    insert into document_strays (kind, removed) values ('files', $1::bigint), ('vectors', $2::bigint), ('chunks', $3::bigint)
    on conflict (kind) do update set removed = document_strays.removed + excluded.removed`,
};
const readRemoved = { name: 'strays_read', text: `select kind, removed from document_strays` };

/**
 * Looks for files, vectors and chunks of documents that do not exist, and has them removed like those of a deleted
 * document. Normally it finds nothing. `olderThanMs` spares what an upload may still be about to make a document.
 */
export async function removeStrays(ctx: Ctx, signal: AbortSignal, olderThanMs = youngMs): Promise<Strays> {
  const before = ctx.clock.now().getTime() - olderThanMs;
  const strays: Strays = { files: 0, vectors: 0, chunks: 0 };
  const sources: [keyof Strays, AsyncIterable<Stray> | Iterable<Stray>][] = [
    ['files', filesOf(ctx)],
    ['vectors', ctx.ports.vectors.documents()],
    ['chunks', await ctx.sql<Stray>(chunksWithoutDocument)],
  ];
  for (const [kind, found] of sources) {
    for await (const batch of batches(found)) {
      signal.throwIfAborted();
      const old = batch.filter(({ documentId }) => createdAtMs(documentId) < before);
      strays[kind] += await removeUnknown(ctx, old);
    }
  }
  if (strays.files + strays.vectors + strays.chunks > 0) await ctx.sql(countRemoved, Object.values(strays));
  return strays;
}

/** What `removeStrays` has ever removed, on any instance. */
export async function countStrays(ctx: Ctx): Promise<{ kind: keyof Strays; removed: number }[]> {
  const rows = await ctx.sql<{ kind: keyof Strays; removed: number }>(readRemoved);
  return (['files', 'vectors', 'chunks'] as const).map(
    (kind) => rows.find((row) => row.kind === kind) ?? { kind, removed: 0 },
  );
}

async function removeUnknown(ctx: Ctx, candidates: readonly Stray[]): Promise<number> {
  const unknown = await ctx.sql<{ id: string }>(findUnknown, [candidates.map(({ documentId }) => documentId)]);
  const ids = new Set(unknown.map(({ id }) => id));
  const strays = candidates.filter(({ documentId }) => ids.has(documentId));
  await inTransaction(ctx, async (tx) => {
    for (const stray of strays)
      await enqueueTask(tx, 'document.remove', stray, { key: stray.documentId, maxAttempts: 1_000 });
  });
  return strays.length;
}

/** Keys of originals are `agents/<agent>/<document>`. */
async function* filesOf(ctx: Ctx): AsyncGenerator<Stray> {
  for await (const key of ctx.ports.files.list('agents')) {
    const [, agentId = '', documentId = '', ...more] = key.split('/');
    if (more.length === 0 && isId('document', documentId)) yield { agentId, documentId };
  }
}

/** The time in a UUIDv7. @see https://www.rfc-editor.org/rfc/rfc9562#section-5.7 */
const createdAtMs = (documentId: string): number =>
  Number.parseInt(documentId.replace(/^doc_|-/g, '').slice(0, 12), 16);

async function* batches<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    if (batch.push(item) < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
