import type { Ctx } from '../core/ctx.ts';
import { isNearDuplicate, shinglesOf } from './fuse.ts';

/** A piece of a document that answers a question, or helps to. */
export interface RetrievedChunk {
  chunkId: string;
  documentId: string;
  filename: string;
  /** Headings, page, rows or path in words; empty when there are none. */
  place: string;
  content: string;
  /** Cosine of question and chunk, 0 to 1. While vectors are not to be had, how well the words match. */
  similarity: number;
  chunkIndex: number;
}

/** Chunks that may answer a question. */
export interface FoundChunks {
  /** Best first. */
  ids: readonly string[];
  /** The most similar ones, most similar first: those that are gone by now can't be what others are measured by. */
  nearest: readonly string[];
  /** They stay however little alike the vectors are. Null: all stay. */
  trusted: ReadonlySet<string> | null;
  /** What is known of a similarity before it is asked for. */
  similarityAtMost(chunkId: string): number;
  similaritiesOf(chunkIds: readonly string[]): ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;
}

/** Less alike than this, a chunk is about something else. */
export const leastSimilarity = 0.2;
/** Of the best one's similarity. */
const leastShareOfBest = 0.45;
/** For each chunk that is wanted so many are read, of which cut and duplicates seldom take more than half. */
const readForEach = 3;
const nearestRead = 3;

/**
 * The first `limit` of those chunks that exist and are this agent's, without near-duplicates and without what is far less
 * alike than the best. The others are read only when the first do not suffice, and only those that can be alike enough.
 */
export async function readRelevant(
  ctx: Ctx,
  agentId: string,
  found: FoundChunks,
  limit: number,
): Promise<RetrievedChunk[]> {
  const nearest = found.nearest.slice(0, nearestRead);
  const first = found.ids.slice(0, limit * readForEach);
  const asked = new Set([...nearest, ...first]);
  const chunks = await readSome(ctx, agentId, [...asked], found);
  const isBestKnown = nearest.length === 0 || nearest.some((id) => chunks.has(id));
  const chosen = isBestKnown ? choose(first, chunks, found.trusted, limit) : [];
  if (chosen.length === limit) return chosen;
  const least = leastOf(chunks);
  const canStay = (id: string) => !found.trusted || found.trusted.has(id) || found.similarityAtMost(id) >= least;
  const rest = found.ids.filter((id) => !asked.has(id) && canStay(id));
  for (const [id, chunk] of await readSome(ctx, agentId, rest, found)) chunks.set(id, chunk);
  return choose(found.ids, chunks, found.trusted, limit);
}

// By their ids and nothing else: `offset 0` keeps the planner from walking through all of the agent's chunks, which it
// takes for a handful once it plans for any agent.
const read = {
  name: 'knowledge_chunks_read',
  text: `
    select c.id as "chunkId", c.document_id as "documentId", d.filename, c.place, c.content, c.position as "chunkIndex"
    from unnest($1::text[]) as asked (id),
      lateral (select * from chunks where id = asked.id offset 0) c,
      lateral (select * from documents where id = c.document_id offset 0) d
    where c.agent_id = $2 and d.agent_id = $2 and d.status = 'ready'`,
};

async function readSome(
  ctx: Ctx,
  agentId: string,
  ids: readonly string[],
  found: FoundChunks,
): Promise<Map<string, RetrievedChunk>> {
  if (ids.length === 0) return new Map();
  const [rows, similarities] = await Promise.all([
    ctx.sql<Omit<RetrievedChunk, 'similarity'>>(read, [ids, agentId]),
    found.similaritiesOf(ids),
  ]);
  return new Map(
    rows.map((row) => {
      const similarity = Math.min(1, Math.max(0, similarities.get(row.chunkId) ?? 0));
      return [row.chunkId, { ...row, similarity }];
    }),
  );
}

/** Less alike than this, a chunk does not stay. */
const leastOf = (chunks: ReadonlyMap<string, RetrievedChunk>): number =>
  Math.max(
    leastSimilarity,
    chunks.values().reduce((most, { similarity }) => Math.max(most, similarity), 0) * leastShareOfBest,
  );

/** Of the ids in their order. */
function choose(
  ids: readonly string[],
  chunks: ReadonlyMap<string, RetrievedChunk>,
  trusted: FoundChunks['trusted'],
  limit: number,
): RetrievedChunk[] {
  const least = leastOf(chunks);
  const kept: RetrievedChunk[] = [];
  const shingles: Set<string>[] = [];
  for (const id of ids) {
    if (kept.length === limit) break;
    const chunk = chunks.get(id);
    if (!chunk || (trusted && chunk.similarity < least && !trusted.has(id))) continue;
    const own = shinglesOf(chunk.content);
    if (shingles.some((other) => isNearDuplicate(own, other))) continue;
    kept.push(chunk);
    shingles.push(own);
  }
  return kept;
}
