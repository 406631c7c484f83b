import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from '../../core/database/sql.ts';
import type { VectorSpread } from '../../core/vector-spread.ts';
import { dotProduct } from '../../core/vectors.ts';
import type {
  AskedVectors,
  BesideQuery,
  Neighbour,
  Neighbours,
  VectorQuery,
  VectorStore,
} from '../../knowledge/retrieval/vector-store.ports.ts';
import { createMatrixCache } from './matrix-cache.ts';
import { quantise } from './quantise.ts';

interface PostgresVectorsOptions {
  /** Runs on the pool. */
  sql: Sql;
  /** Budget of the matrices in memory. The least recently used are evicted; the one in use may exceed it. */
  cacheBytes?: number;
}

const defaultCacheBytes = 256 * 1024 ** 2;
const deleteBatch = 2_000;
const rescoreBatch = 500;

// All vectors in one bytea each: as arrays they would travel as text, which costs both sides more than the rest of the
// statement.
const upsert = {
  name: 'vectors_upsert',
  text: `
    insert into chunk_vectors (document_id, agent_id, space, position, chunk_id, vector, codes, scale, error)
    select d.id, d.agent_id, $2, v.position, v.chunk_id,
      substring($5::bytea from (v.n::integer - 1) * 4 * $9::integer + 1 for 4 * $9), substring($6::bytea from (v.n::integer - 1) * $9 + 1 for $9),
      v.scale, v.error
    from unnest($3::integer[], $4::text[], $7::real[], $8::real[]) with ordinality as v (position, chunk_id, scale, error, n),
      (select id, agent_id from documents where id = $1 for key share) d
    on conflict (document_id, space, position) do update set
      chunk_id = excluded.chunk_id, vector = excluded.vector, codes = excluded.codes, scale = excluded.scale, error = excluded.error`,
};
// As base64, which takes two thirds of what PostgreSQL and this process spend on its own text form.
const readVectors = {
  name: 'vectors_read',
  text: `select chunk_id as "chunkId", encode(vector, 'base64') as vector from chunk_vectors where chunk_id = any ($1) and space = $2 and agent_id = $3`,
};
const deleteSome = {
  name: 'vectors_delete',
  text: `
    delete from chunk_vectors where ctid = any (array(
      select ctid from chunk_vectors where document_id = $1 and ($2::text is null or space <> $2) limit $3))
    returning 1 as gone`,
};
// One index probe a document, however many vectors it has.
const listDocuments = {
  name: 'vectors_documents',
  text: `
    with recursive found as (
      (select document_id, agent_id from chunk_vectors where document_id > $1 order by document_id limit 1)
      union all
      select later.* from found, lateral (
        select v.document_id, v.agent_id from chunk_vectors v where v.document_id > found.document_id
        order by v.document_id limit 1) later
    )
    select document_id as "documentId", agent_id as "agentId" from found limit 500`,
};

/** Stores vectors in PostgreSQL and searches them exactly: the result is always the true nearest ones. */
export function createPostgresVectors({ sql, cacheBytes = defaultCacheBytes }: PostgresVectorsOptions): VectorStore {
  const matrices = createMatrixCache(sql, cacheBytes);

  const measured = async (
    { agentId, space, vectors }: VectorQuery,
    chunkIds: readonly string[],
    spread: VectorSpread | null,
  ): Promise<Measured[]> => {
    const found: Measured[] = [];
    if (!spread) return found;
    // One buffer for all rows, because floats need alignment: one a row outside the heap triggers full collections.
    const stored = new Float32Array(vectors[0]?.length ?? 0);
    const bytes = bytesOf(stored);
    for (let i = 0; i < chunkIds.length; i += rescoreBatch) {
      const rows = await sql<{ chunkId: string; vector: string }>(readVectors, [
        chunkIds.slice(i, i + rescoreBatch),
        space,
        agentId,
      ]);
      for (const { chunkId, vector } of rows) {
        bytes.write(vector, 'base64');
        const distance = spread.distance(stored);
        const cosines = vectors.map((asked) => dotProduct(asked, stored));
        const nearness = meanOf(cosines.map((cosine) => spread.nearness(cosine, distance)));
        found.push({ chunkId, similarity: cosines[0] ?? 0, nearness, cosines });
      }
    }
    return found;
  };

  const query = async (
    { agentId, space, vectors: asked }: AskedVectors,
    limit: number,
    { before, others, onLikely }: BesideQuery = {},
  ): Promise<Neighbours> => {
    const [matrix, vectors] = await Promise.all([matrices.current(agentId, space), asked]);
    // Statements that follow it are sent at the end of that turn of the event loop; the scan below blocks it.
    if (before) await before.then(() => nextTurn());
    const nearest = vectors.map((vector) => matrix?.candidates(vector, limit).map(({ chunkId }) => chunkId) ?? []);
    for (const chunkIds of nearest) onLikely?.(chunkIds);
    const ids = new Set(nearest.flat());
    const spread = matrix?.spread() ?? null;
    const asides = new Set((await others) ?? []);
    const exact = await measured({ agentId, space, vectors }, [...new Set([...ids, ...asides])], spread);
    const scanned = exact.filter(({ chunkId }) => ids.has(chunkId));
    const found = nearestOf(scanned, limit, vectors.length);
    return {
      found,
      others: exact.filter((chunk) => asides.has(chunk.chunkId) && !found.includes(chunk)),
      average: spread ? meanOf(vectors.map((vector) => spread.nearness(dotProduct(vector, spread.centre), null))) : 0,
    };
  };

  return {
    upsert: async ({ documentId, space }, vectors) => {
      const quantised = vectors.map(({ vector }) => quantise(vector));
      await sql(upsert, [
        documentId,
        space,
        vectors.map(({ position }) => position),
        vectors.map(({ chunkId }) => chunkId),
        Buffer.concat(vectors.map(({ vector }) => bytesOf(vector))),
        Buffer.concat(quantised.map(({ codes }) => bytesOf(codes))),
        quantised.map(({ scale }) => scale),
        quantised.map(({ error }) => error),
        vectors[0]?.vector.length ?? 0,
      ]);
    },
    // Commits are visible at once.
    settle: async () => undefined,
    query,
    deleteDocument: async ({ documentId }, { exceptSpace }) => {
      for (;;) {
        const gone = await sql(deleteSome, [documentId, exceptSpace ?? null, deleteBatch]);
        if (gone.length < deleteBatch) return;
      }
    },
    documents: async function* () {
      for (let last = ''; ;) {
        const rows = await sql<{ documentId: string; agentId: string }>(listDocuments, [last]);
        yield* rows;
        const end = rows.at(-1);
        if (!end) return;
        last = end.documentId;
      }
    },
  };
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A chunk and its cosine with each form of the question. */
type Measured = Neighbour & { cosines: readonly number[] };

/** Returns the chunks with the largest cosines for each form. */
function nearestOf(all: readonly Measured[], limit: number, forms: number): Neighbour[] {
  const nearest = new Set<Measured>();
  for (let form = 0; form < forms; form++) {
    const byCosine = all.toSorted(
      (a, b) => (b.cosines[form] ?? 0) - (a.cosines[form] ?? 0) || (a.chunkId < b.chunkId ? -1 : 1),
    );
    for (const chunk of byCosine.slice(0, limit)) nearest.add(chunk);
  }
  return [...nearest].toSorted((a, b) => b.nearness - a.nearness);
}

const bytesOf = (values: Float32Array | Int8Array): Buffer =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength);
