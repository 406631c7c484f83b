import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from '../../core/sql.ts';
import type { Neighbour, VectorQuery, VectorStore } from '../../knowledge/vector-store.ports.ts';
import { createMatrixCache } from './matrix-cache.ts';
import { dotProduct, quantise } from './quantise.ts';

interface PostgresVectorsOptions {
  /** On the pool. */
  sql: Sql;
  /** Of the matrices in memory, least recently used first out; the one in use may exceed it. */
  cacheBytes?: number;
}

const defaultCacheBytes = 256 * 1024 ** 2;
const deleteBatch = 2_000;
const rescoreBatch = 500;

// The numbers of all vectors in one value each: in an array they would travel as text, which takes both sides longer than
// the rest of the statement.
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
const readVectors = {
  name: 'vectors_read',
  text: `select chunk_id as "chunkId", vector from chunk_vectors where chunk_id = any ($1) and space = $2 and agent_id = $3`,
};
const deleteSome = {
  name: 'vectors_delete',
  text: `
    delete from chunk_vectors where ctid = any (array(
      select ctid from chunk_vectors where document_id = $1 and ($2::text is null or space <> $2) limit $3))
    returning 1 as gone`,
};
const listDocuments = {
  name: 'vectors_documents',
  text: `
    select document_id as "documentId", min(agent_id) as "agentId" from chunk_vectors where document_id > $1
    group by document_id order by document_id limit 500`,
};

/** Vectors in PostgreSQL, searched exactly: the nearest are the true ones, always. */
export function createPostgresVectors({ sql, cacheBytes = defaultCacheBytes }: PostgresVectorsOptions): VectorStore {
  const matrices = createMatrixCache(sql, cacheBytes);

  const similarities = async ({ agentId, space, vector }: VectorQuery, chunkIds: readonly string[]) => {
    const found = new Map<string, number>();
    // One for all, because a float has to begin at a multiple of four: memory outside the heap makes V8 collect all of it.
    const stored = new Float32Array(vector.length);
    for (let i = 0; i < chunkIds.length; i += rescoreBatch) {
      const rows = await sql<{ chunkId: string; vector: Buffer }>(readVectors, [
        chunkIds.slice(i, i + rescoreBatch),
        space,
        agentId,
      ]);
      for (const row of rows) {
        bytesOf(stored).set(row.vector);
        found.set(row.chunkId, dotProduct(vector, stored));
      }
    }
    return found;
  };

  const query = async (asked: VectorQuery, limit: number, before?: Promise<unknown>): Promise<Neighbour[]> => {
    const matrix = await matrices.current(asked.agentId, asked.space, asked.vector.length);
    // What others ask once it is over leaves at the end of that turn of the event loop.
    if (before) await before.then(() => nextTurn());
    const candidates = matrix?.candidates(asked.vector, limit) ?? [];
    const exact = await similarities(
      asked,
      candidates.map(({ chunkId }) => chunkId),
    );
    return [...exact]
      .map(([chunkId, similarity]) => ({ chunkId, similarity }))
      .sort((a, b) => b.similarity - a.similarity || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, limit);
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
    // What a transaction has committed is there.
    settle: async () => undefined,
    query,
    similarities,
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

const bytesOf = (values: Float32Array | Int8Array): Buffer =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength);
