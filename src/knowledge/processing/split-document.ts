import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import type { Ctx } from '../../core/ctx.ts';
import { FileMissing } from '../../core/files.ports.ts';
import { DocumentFailure } from '../document-failure.ts';
import { type Document, documentFileKey } from '../document.ts';
import type { DocumentChunk } from './chunk-document.ts';
import { addMissing, type Embedding, type PlacedChunk } from './embed-chunks.ts';
import { extractChunks } from './extraction.ts';
import type { Reading } from '../extract/reading.ts';

// Chunks of an earlier attempt keep their vectors if they are equal. Chunks that differ are replaced and no longer
// count as embedded.
const insertChunks = {
  name: 'chunks_insert',
  text: `
    with written as (
      insert into chunks (id, document_id, agent_id, position, place, content, language, location, spellings)
      select c.id, d.id, d.agent_id, $6::integer + c.n::integer - 1, c.place, c.content, $5::regconfig, c.location, c.spellings
      from unnest($2::text[], $3::text[], $4::text[], $7::jsonb[], $8::text[]) with ordinality
        as c (id, place, content, location, spellings, n),
        (select id, agent_id from documents where id = $1 for key share) d
      on conflict (document_id, position) do update set
        place = excluded.place, content = excluded.content, language = excluded.language, location = excluded.location,
        spellings = excluded.spellings
        where (chunks.place, chunks.content, chunks.language, chunks.location, chunks.spellings)
          is distinct from (excluded.place, excluded.content, excluded.language, excluded.location, excluded.spellings)
      returning position
    ), changed as (select range_agg(int4range(position, position, '[]')) as positions from written)
    update documents set embedded = embedded - positions, chunks_done = ${countOf('embedded - positions')}
    from changed where id = $1 and embedded && positions`,
};
const setSplit = {
  name: 'document_split',
  text: `
    update documents set chunks_total = $2, language = $3::regconfig, reading = $4,
      embedded = embedded * ${upTo('$2')}, chunks_done = ${countOf(`embedded * ${upTo('$2')}`)}
    where id = $1 and status = 'processing'`,
};
const dropRest = { name: 'chunks_drop_rest', text: `delete from chunks where document_id = $1 and position >= $2` };

function countOf(positions: string): string {
  return `(select coalesce(sum(upper(r) - lower(r)), 0) from unnest(${positions}) r)`;
}

function upTo(total: string): string {
  return `int4multirange(int4range(0, ${total}::integer))`;
}

/**
 * Number of batches of one document that are stored in parallel. Indexing their words is the slowest step in
 * PostgreSQL.
 */
const storesAtOnce = 2;

/**
 * Extracts a document, stores its chunks and adds them to the embedding. Returns the number of chunks. A failed
 * embedding does not interrupt the splitting, so the next attempt only has to embed.
 * @throws DocumentFailure when the document is the cause
 */
export async function splitDocument(
  ctx: Ctx,
  document: Document,
  signal: AbortSignal,
  embedding: Embedding,
): Promise<number> {
  const content = await openOriginal(ctx, document);
  const size = ctx.config.knowledge.chunkSize;
  const { batchSize } = ctx.ports.embedder;
  const storing = pLimit(storesAtOnce);
  const stores: Promise<void>[] = [];
  let total = 0;
  let language = 'simple';
  let reading: Reading | null = null;
  const { format, encoding } = document;
  for await (const batch of extractChunks({ format, encoding, content, size, batchSize, signal })) {
    ({ language, reading } = batch);
    if (batch.chunks.length === 0) continue;
    const from = total;
    const chunks = batch.chunks.map((chunk, i) => ({
      id: chunkId(document.id, from + i),
      position: from + i,
      ...chunk,
    }));
    total += chunks.length;
    const stored = storing(() => storeChunks(ctx, document.id, chunks, batch.language));
    stores.push(stored);
    if (from >= embedding.begun) {
      await embedding.add(chunks, stored);
      continue;
    }
    await stored;
    await addMissing(ctx, document.id, embedding, { from, to: total });
  }
  if (total === 0) throw new DocumentFailure('no_text');
  await Promise.all(stores);
  await ctx.sql(dropRest, [document.id, total]);
  await ctx.sql(setSplit, [document.id, total, language, JSON.stringify(reading)]);
  return total;
}

async function storeChunks(
  ctx: Ctx,
  documentId: string,
  chunks: readonly (PlacedChunk & DocumentChunk)[],
  language: string,
): Promise<void> {
  const ids = chunks.map(({ id }) => id);
  const places = chunks.map(({ place }) => place);
  const contents = chunks.map(({ content }) => content);
  const locations = chunks.map(({ location }) => JSON.stringify(location));
  const spellings = chunks.map((chunk) => chunk.spellings);
  const from = chunks[0]?.position ?? 0;
  await ctx.sql(insertChunks, [documentId, ids, places, contents, language, from, locations, spellings]);
}

/**
 * Returns a chunk's id: a UUID derived from a hash of its document and position.
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.8
 */
function chunkId(documentId: string, position: number): string {
  const hash = createHash('sha256').update(`${documentId} ${position}`).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `chk_${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')}`;
}

async function openOriginal(ctx: Ctx, document: Document) {
  try {
    return await ctx.ports.files.get(documentFileKey(document));
  } catch (error) {
    throw error instanceof FileMissing ? new DocumentFailure('unreadable', { cause: error }) : error;
  }
}
