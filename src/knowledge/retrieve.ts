import type { Ctx } from '../core/ctx.ts';
import { describeError } from '../core/task-errors.ts';
import { fuse, isNearDuplicate, shinglesOf } from './fuse.ts';
import { searchText } from './text-search.ts';
import type { Neighbour, VectorQuery } from './vector-store.ports.ts';

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

export interface RetrieveOptions {
  limit: number;
  signal?: AbortSignal;
  /** Which of the two searches; both are fused when omitted. */
  only?: 'vectors' | 'text';
}

/** So many chunks a message is given with, when they fit. */
export const passagesPerMessage = 5;

const poolSize = 40;
/** An embedding model takes 8,192 tokens; what a message asks stands in its beginning. */
const maxQuestionLength = 6_000;
/** The best matches by words stay however little alike the vectors are. */
const trustedMatches = 3;
/** Less alike than this, a chunk is about something else. */
const leastSimilarity = 0.2;
/** Below, the nearest of many chunks is a guess, which must not outvote the words. */
const closeSimilarity = 0.25;
/** Of the best one's similarity. */
const leastShareOfBest = 0.45;

/**
 * The chunks of an agent's ready documents that fit the question, best first: nearest vectors and full text, fused,
 * without near-duplicates and what is too far off. When the vectors can't be asked, text alone answers. It asks nobody
 * for leave: the caller has decided that this question may be put to this agent.
 */
export async function retrieve(
  ctx: Ctx,
  agentId: string,
  message: string,
  options: RetrieveOptions,
): Promise<RetrievedChunk[]> {
  if (!(await hasKnowledge(ctx, agentId))) return [];
  const question = message.slice(0, maxQuestionLength).toWellFormed();
  const [near, matches] = await Promise.all([
    options.only === 'text' ? null : searchVectors(ctx, agentId, question, options.signal),
    searchText(ctx, agentId, question, poolSize),
  ]);
  // Of what both find equally good, the words decide.
  const isTelling = near === null || (options.only !== 'vectors' && !matches.isSample);
  const byText = isTelling ? [matches.any, matches.all] : [];
  const fused = near ? [...new Set([...fuse([...byText, near.close]), ...near.distant])] : fuse(byText);
  const similarities = near ? await near.similaritiesOf(fused) : matches.ranks;
  const chunks = await readChunks(ctx, agentId, fused, similarities);
  const relevant = near ? cutOff(chunks, new Set(byText.flatMap((ids) => ids.slice(0, trustedMatches)))) : chunks;
  return withoutDuplicates(relevant, options.limit);
}

const anyReady = {
  name: 'knowledge_any_ready',
  text: `select 1 as ready from documents where agent_id = $1 and status = 'ready' limit 1`,
};

const hasKnowledge = async (ctx: Ctx, agentId: string): Promise<boolean> =>
  (await ctx.sql(anyReady, [agentId])).length > 0;

interface NearChunks {
  /** Near enough that their order means something, nearest first. */
  close: string[];
  /** The rest that is not too far to mean anything: after all else. */
  distant: string[];
  similaritiesOf(chunkIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

const idsFrom = (neighbours: readonly Neighbour[], fits: (similarity: number) => boolean): string[] =>
  neighbours.filter(({ similarity }) => fits(similarity)).map(({ chunkId }) => chunkId);

/** Null when provider or store do not answer: a poorer answer now is worth more than none. */
async function searchVectors(
  ctx: Ctx,
  agentId: string,
  question: string,
  signal?: AbortSignal,
): Promise<NearChunks | null> {
  const { embedder, vectors } = ctx.ports;
  try {
    const query: VectorQuery = {
      agentId,
      space: embedder.space,
      vector: await embedder.embedQuestion(question, signal),
    };
    const neighbours = await vectors.query(query, poolSize);
    const known = new Map(neighbours.map(({ chunkId, similarity }) => [chunkId, similarity]));
    return {
      close: idsFrom(neighbours, (similarity) => similarity >= closeSimilarity),
      distant: idsFrom(neighbours, (similarity) => similarity >= leastSimilarity && similarity < closeSimilarity),
      similaritiesOf: async (chunkIds) => {
        const unknown = chunkIds.filter((id) => !known.has(id));
        const found =
          unknown.length > 0 ? await vectors.similarities(query, unknown).catch(() => new Map()) : new Map();
        return new Map([...known, ...(found as Map<string, number>)]);
      },
    };
  } catch (error) {
    signal?.throwIfAborted();
    ctx.log.warn({ agentId, error: describeError(error) }, 'retrieval without vectors');
    return null;
  }
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

/** The chunks that exist now and are this agent's, in the order of the ids. */
async function readChunks(
  ctx: Ctx,
  agentId: string,
  ids: readonly string[],
  similarities: ReadonlyMap<string, number>,
): Promise<RetrievedChunk[]> {
  const rows = await ctx.sql<Omit<RetrievedChunk, 'similarity'>>(read, [ids, agentId]);
  const byId = new Map(rows.map((row) => [row.chunkId, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [{ ...row, similarity: Math.min(1, Math.max(0, similarities.get(id) ?? 0)) }] : [];
  });
}

function cutOff(chunks: readonly RetrievedChunk[], trusted: ReadonlySet<string>): RetrievedChunk[] {
  const best = chunks.reduce((most, { similarity }) => Math.max(most, similarity), 0);
  const least = Math.max(leastSimilarity, best * leastShareOfBest);
  return chunks.filter(({ chunkId, similarity }) => similarity >= least || trusted.has(chunkId));
}

function withoutDuplicates(chunks: readonly RetrievedChunk[], limit: number): RetrievedChunk[] {
  const kept: RetrievedChunk[] = [];
  const shingles: Set<string>[] = [];
  for (const chunk of chunks) {
    if (kept.length === limit) break;
    const own = shinglesOf(chunk.content);
    if (shingles.some((other) => isNearDuplicate(own, other))) continue;
    kept.push(chunk);
    shingles.push(own);
  }
  return kept;
}
