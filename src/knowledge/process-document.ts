import { createHash } from 'node:crypto';
import type { Ctx } from '../core/ctx.ts';
import { FileMissing } from '../core/files.ports.ts';
import { idPrefixes } from '../core/ids.ts';
import type { TaskRun } from '../core/task-handler.ts';
import { inTransaction } from '../core/transaction.ts';
import type { DocumentChunk } from './chunk-document.ts';
import { DocumentFailure } from './document-failure.ts';
import { type Document, documentColumns, documentFileKey } from './document.ts';
import { embedChunks } from './embed-chunks.ts';
import { extractChunks } from './extraction.ts';

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
    const total = document.chunksTotal ?? (await splitDocument(ctx, document, run));
    const place = { agentId: document.agentId, documentId, space: ctx.ports.embedder.space };
    await embedChunks(ctx, place, run);
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

// What an earlier attempt wrote under the same ids is the same, or from another splitting and replaced.
const insertChunks = {
  name: 'chunks_insert',
  text: `
    insert into chunks (id, document_id, agent_id, position, place, content, language)
    select c.id, d.id, d.agent_id, $6::integer + c.n::integer - 1, c.place, c.content, $5::regconfig
    from unnest($2::text[], $3::text[], $4::text[]) with ordinality as c (id, place, content, n),
      (select id, agent_id from documents where id = $1 for key share) d
    on conflict (document_id, position) do update set
      place = excluded.place, content = excluded.content, language = excluded.language, space = null`,
};
const setSplit = {
  name: 'document_split',
  text: `update documents set chunks_total = $2, chunks_done = 0, language = $3::regconfig where id = $1 and status = 'processing'`,
};
const dropRest = { name: 'chunks_drop_rest', text: `delete from chunks where document_id = $1 and position >= $2` };

/** Reads the text and stores its chunks. Answers how many there are. */
async function splitDocument(ctx: Ctx, document: Document, run: TaskRun): Promise<number> {
  const content = await openOriginal(ctx, document);
  const { signal } = run;
  const size = ctx.config.knowledge.chunkSize;
  let total = 0;
  let language = 'simple';
  for await (const batch of extractChunks({ format: document.format, content, size, signal })) {
    language = batch.language;
    if (batch.chunks.length > 0) await storeChunks(ctx, document.id, total, batch.chunks, language);
    total += batch.chunks.length;
  }
  if (total === 0) throw new DocumentFailure('no_text');
  await inTransaction(ctx, async (tx) => {
    await tx.sql(dropRest, [document.id, total]);
    await tx.sql(setSplit, [document.id, total, language]);
  });
  return total;
}

async function storeChunks(
  ctx: Ctx,
  documentId: string,
  from: number,
  chunks: DocumentChunk[],
  language: string,
): Promise<void> {
  const ids = chunks.map((_, i) => chunkId(documentId, from + i));
  const places = chunks.map(({ place }) => place);
  await ctx.sql(insertChunks, [documentId, ids, places, chunks.map(({ content }) => content), language, from]);
}

/** The same for the same place in the same document, always: a UUID made from a hash. @see https://www.rfc-editor.org/rfc/rfc9562#section-5.8 */
function chunkId(documentId: string, position: number): string {
  const hash = createHash('sha256').update(`${documentId} ${position}`).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${idPrefixes.chunk}${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')}`;
}

async function openOriginal(ctx: Ctx, document: Document) {
  try {
    return await ctx.ports.files.get(documentFileKey(document));
  } catch (error) {
    throw error instanceof FileMissing ? new DocumentFailure('unreadable', { cause: error }) : error;
  }
}
