import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from '../../core/database/sql.ts';
import type { VectorSpread } from '../../core/vector-spread.ts';
import { dotProduct } from '../../core/vectors.ts';
import type {
  PendingVectorQuery,
  ConcurrentWork,
  Neighbour,
  Neighbours,
  VectorStore,
} from '../../knowledge/retrieval/vector-store.ports.ts';
import { createMatrixCache } from './matrix-cache.ts';
import { quantise } from './quantise.ts';
import type { VectorMatrix } from './vector-matrix.ts';

interface PostgresVectorsOptions {
  /** Runs statements on the pool. */
  sql: Sql;
  /**
   * Memory budget of the cached matrices, in bytes. The least recently used are evicted; the one in use may exceed the
   * budget.
   */
  cacheBytes?: number;
}

const defaultCacheBytes = 256 * 1024 ** 2;
const deleteBatch = 2_000;

// All vectors are sent in one bytea: arrays would be sent as text, which costs client and server more than the rest of
// the statement.
const upsert = {
  name: 'vectors_upsert',
  text: `
    insert into chunk_vectors (document_id, agent_id, space, position, chunk_id, codes, scale)
    select d.id, d.agent_id, $2, v.position, v.chunk_id, substring($5::bytea from (v.n::integer - 1) * $7::integer + 1 for $7), v.scale
    from unnest($3::integer[], $4::text[], $6::real[]) with ordinality as v (position, chunk_id, scale, n),
      (select id, agent_id from documents where id = $1 for key share) d
    on conflict (document_id, space, position) do update set
      chunk_id = excluded.chunk_id, codes = excluded.codes, scale = excluded.scale`,
};
const deleteSome = {
  name: 'vectors_delete',
  text: `
    delete from chunk_vectors where ctid = any (array(
      select ctid from chunk_vectors where document_id = $1 and ($2::text is null or space <> $2) limit $3))
    returning 1 as gone`,
};
// Uses one index probe per document, however many vectors it has.
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

/**
 * Stores vectors in PostgreSQL, one byte per dimension, and compares a question with every vector instead of using an
 * approximate index. Quantisation changes a cosine by less than 0.002, which is less than the effect of a comma on the
 * embedding.
 */
export function createPostgresVectors({ sql, cacheBytes = defaultCacheBytes }: PostgresVectorsOptions): VectorStore {
  const matrices = createMatrixCache(sql, cacheBytes);

  const query = async (
    { agentId, space, vectors: asked }: PendingVectorQuery,
    limit: number,
    { before, others, onNearest }: ConcurrentWork = {},
  ): Promise<Neighbours> => {
    const [matrix, vectors] = await Promise.all([matrices.current(agentId, space), asked]);
    const spread = matrix?.spread();
    if (!matrix || !spread) return { found: [], others: [], average: 0 };
    // Statements issued after `before` are sent at the end of that turn of the event loop, and the scan below blocks
    // the loop.
    if (before) await before.then(() => nextTurn());
    const nearest = vectors.map((vector) => matrix.nearest(vector, limit));
    for (const chunkIds of nearest) onNearest?.(chunkIds);
    const ids = new Set(nearest.flat());
    const measure = measureIn(matrix, spread, vectors);
    const found = measure(ids).toSorted((a, b) => b.nearness - a.nearness);
    return {
      found,
      others: measure(new Set((await others)?.filter((id) => !ids.has(id)))),
      average: meanOf(vectors.map((vector) => spread.nearness(dotProduct(vector, spread.centre), null))),
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
        Buffer.concat(quantised.map(({ codes }) => Buffer.from(codes.buffer))),
        quantised.map(({ scale }) => scale),
        vectors[0]?.vector.length ?? 0,
      ]);
    },
    // Commits are visible immediately.
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

/**
 * Returns the nearness of chunks in the matrix to the forms of a question. Leaves out chunks that are not in the
 * matrix.
 */
function measureIn(matrix: VectorMatrix, spread: VectorSpread, vectors: readonly Float32Array[]) {
  const stored = new Float32Array(vectors[0]?.length ?? 0);
  return (chunkIds: ReadonlySet<string>): Neighbour[] => {
    const measured: Neighbour[] = [];
    for (const chunkId of chunkIds) {
      if (!matrix.read(chunkId, stored)) continue;
      const distance = spread.distance(stored);
      const cosines = vectors.map((vector) => dotProduct(vector, stored));
      const nearness = meanOf(cosines.map((cosine) => spread.nearness(cosine, distance)));
      measured.push({ chunkId, similarity: cosines[0] ?? 0, nearness });
    }
    return measured;
  };
}
