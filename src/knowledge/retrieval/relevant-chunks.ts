import type { Ctx } from '../../core/ctx.ts';
import type { Candidate, Passage } from './candidates.ts';
import { isNearDuplicate, shinglesOf } from './near-duplicates.ts';

/** A passage of a document that is relevant to a query, with its scores. */
export interface RetrievedChunk extends Omit<Candidate, 'similarity' | 'passage'>, Passage {
  /**
   * Cosine similarity of query and chunk, 0 to 1. While vectors are unavailable, the share of the query's words in the
   * chunk.
   */
  similarity: number;
}

/** Number of candidates read beyond the limit, to replace near-duplicates. More are rarely needed. */
const readBeyond = 3;

/** Returns the first `limit` candidates that still exist, without near-duplicates of better ones. */
export async function readRelevant(
  ctx: Ctx,
  agentId: string,
  candidates: readonly Candidate[],
  limit: number,
): Promise<RetrievedChunk[]> {
  const kept: RetrievedChunk[] = [];
  const shingles: Set<string>[] = [];
  const readAtOnce = limit + readBeyond;
  for (let from = 0; kept.length < limit && from < candidates.length; from += readAtOnce) {
    for (const chunk of await readSome(ctx, agentId, candidates.slice(from, from + readAtOnce))) {
      const own = shinglesOf(chunk.content);
      if (shingles.some((other) => isNearDuplicate(own, other))) continue;
      kept.push(chunk);
      shingles.push(own);
    }
  }
  return kept.slice(0, limit);
}

// Selects by id only, for the reason given in `candidates.ts`.
const read = {
  name: 'knowledge_chunks_read',
  text: `
    select c.id as "chunkId", c.document_id as "documentId", d.filename, c.place, c.content, c.position as "chunkIndex", c.location
    from unnest($1::text[]) as asked (id),
      lateral (select * from chunks where id = asked.id offset 0) c,
      lateral (select * from documents where id = c.document_id offset 0) d
    where c.agent_id = $2 and d.agent_id = $2 and d.status = 'ready'`,
};

async function readSome(ctx: Ctx, agentId: string, candidates: readonly Candidate[]): Promise<RetrievedChunk[]> {
  const unread = candidates.filter(({ passage }) => passage === null).map(({ chunkId }) => chunkId);
  const rows = unread.length > 0 ? await ctx.sql<Passage & { chunkId: string }>(read, [unread, agentId]) : [];
  const byId = new Map(rows.map((row) => [row.chunkId, row]));
  return candidates.flatMap(({ passage, ...candidate }) => {
    const found = passage ?? byId.get(candidate.chunkId);
    const similarity = Math.min(1, Math.max(0, candidate.similarity ?? candidate.coverage));
    return found ? [{ ...candidate, ...found, similarity }] : [];
  });
}
