import { newId } from '../../../src/core/ids.ts';
import { normalised } from '../../../src/core/vectors.ts';
import { quantise } from '../../../src/providers/postgres-vectors/quantise.ts';
import type { Seeded } from './seed.ts';

export const dimensions = 512;
export const space = `text-embedding-3-small:${dimensions}`;

/** Deterministic vectors around a few hundred centres, like texts about a few hundred topics. */
export function vectorsOf(count: number, seed: number): Float32Array[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const centres = Array.from({ length: 200 }, () => Float32Array.from({ length: dimensions }, next));
  return Array.from({ length: count }, (_, i) =>
    normalised((centres[i % 200] ?? new Float32Array()).map((value) => value + next() * 1.5)),
  );
}

const documentSize = 1_000;

/** Inserts ready documents of an agent with a given number of chunks and vectors. */
export async function addChunks({ db, userId }: Seeded, agentId: string, count: number): Promise<void> {
  const vectors = vectorsOf(count, 1);
  for (let from = 0; from < count; from += documentSize) {
    const documentId = newId('doc_');
    await db.query(
      `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, chunks_total, space, language, created_at)
       values ($1, $2, $3, 'a.txt', 'txt', 1, 'ready', $4, $5, 'english', now())`,
      [documentId, agentId, userId, documentSize, space],
    );
    const batch = vectors.slice(from, from + documentSize);
    const quantised = batch.map(quantise);
    await db.query(
      `insert into chunk_vectors (document_id, agent_id, space, position, chunk_id, codes, scale)
       select $1, $2, $3, n - 1, 'chk_' || $1 || n, codes, scale
       from unnest($4::bytea[], $5::real[]) with ordinality as v (codes, scale, n)`,
      [
        documentId,
        agentId,
        space,
        quantised.map(({ codes }) => Buffer.from(codes.buffer)),
        quantised.map(({ scale }) => scale),
      ],
    );
    await db.query(
      `insert into chunks (id, document_id, agent_id, position, place, content, language)
       select 'chk_' || $1 || n, $1, $2, n - 1, '', 'Line ' || n || ' of book ' || $3 || ' tells of number ' || (n * 7919 + $3::int) % 104729
         || ' and of what became of it.', 'english' from generate_series(1, $4::int) n`,
      [documentId, agentId, from, batch.length],
    );
  }
  await db.query(`insert into agent_vector_versions values ($1, 1)`, [agentId]);
}

/** Inserts a document with a given number of chunks for each agent, reusing existing vectors. */
export async function addSmallDocuments(
  { db, userId }: Seeded,
  agentIds: readonly string[],
  chunksEach: number,
): Promise<void> {
  await db.query(
    `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, chunks_total, space, language, created_at)
     select 'doc_' || a, a, $2, 'a.txt', 'txt', 1, 'ready', $3, $4, 'english', now() from unnest($1::text[]) a`,
    [agentIds, userId, chunksEach, space],
  );
  await db.query(
    `insert into chunks (id, document_id, agent_id, position, place, content, language)
     select 'chk_' || a || n, 'doc_' || a, a, n - 1, '', 'Line ' || n || ' of book ' || i || ' tells of number ' || (n * 7919 + i * 31) % 104729
       || ' and of what became of it.', 'english'
     from unnest($1::text[]) with ordinality as t (a, i), generate_series(1, $2::int) n`,
    [agentIds, chunksEach],
  );
  await db.query(
    `with given as (
       select row_number() over () as i, codes, scale from (select * from chunk_vectors limit 10000) v
     )
     insert into chunk_vectors (document_id, agent_id, space, position, chunk_id, codes, scale)
     select 'doc_' || a, a, $3, n - 1, 'chk_' || a || n, codes, scale
     from unnest($1::text[]) with ordinality as t (a, i), generate_series(1, $2::int) n
     cross join given where given.i = (t.i * 7 + n * 97) % (select count(*) from given) + 1`,
    [agentIds, chunksEach, space],
  );
  await db.query(`insert into agent_vector_versions select a, 1 from unnest($1::text[]) a`, [agentIds]);
}
