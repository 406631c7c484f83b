import type { Ctx } from '../core/ctx.ts';
import { describeError } from '../core/task-errors.ts';
import { fuse } from './fuse.ts';
import { leastSimilarity, readRelevant, type RetrievedChunk } from './relevant-chunks.ts';
import { planTextSearch, searchText } from './text-search.ts';
import type { Neighbour, VectorQuery } from './vector-store.ports.ts';

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
/** Below, the nearest of many chunks is a guess, which must not outvote the words. */
const closeSimilarity = 0.25;

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
  const isReady = (await ctx.sql(anyReady, [agentId])).length > 0;
  return isReady ? search(ctx, agentId, message, options) : [];
}

const anyReady = {
  name: 'knowledge_any_ready',
  text: `select 1 as ready from documents where agent_id = $1 and status = 'ready' limit 1`,
};

/** `retrieve` for an agent that has a ready document. */
export async function search(
  ctx: Ctx,
  agentId: string,
  message: string,
  options: RetrieveOptions,
): Promise<RetrievedChunk[]> {
  const question = message.slice(0, maxQuestionLength).toWellFormed();
  const planning = planTextSearch(ctx, agentId, question);
  const [matches, near] = await Promise.all([
    planning.then((query) => searchText(ctx, query, poolSize)),
    options.only === 'text' ? null : searchVectors(ctx, agentId, question, planning, options.signal),
  ]);
  // Of what both find equally good, the words decide.
  const isTelling = near === null || (options.only !== 'vectors' && !matches.isSample);
  const byText = isTelling ? [matches.any, matches.all] : [];
  const found = near
    ? { ...near, ids: [...new Set([...fuse([...byText, near.close]), ...near.distant])], trusted: topOf(byText) }
    : { ids: fuse(byText), nearest: [], trusted: null, similarityAtMost: () => 1, similaritiesOf: () => matches.ranks };
  return readRelevant(ctx, agentId, found, options.limit);
}

const topOf = (lists: readonly (readonly string[])[]): Set<string> =>
  new Set(lists.flatMap((ids) => ids.slice(0, trustedMatches)));

interface NearChunks {
  /** Near enough that their order means something, nearest first. */
  close: string[];
  /** The rest that is not too far to mean anything: after all else. */
  distant: string[];
  /** All of them. */
  nearest: string[];
  /** Those that the store did not name are no nearer than the last that it named. */
  similarityAtMost(chunkId: string): number;
  similaritiesOf(chunkIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

const idsFrom = (neighbours: readonly Neighbour[], fits: (similarity: number) => boolean): string[] =>
  neighbours.filter(({ similarity }) => fits(similarity)).map(({ chunkId }) => chunkId);

/**
 * Null when provider or store do not answer: a poorer answer now is worth more than none. `before` is what lets PostgreSQL
 * be at the words while a store computes in this process.
 */
async function searchVectors(
  ctx: Ctx,
  agentId: string,
  question: string,
  before: Promise<unknown>,
  signal?: AbortSignal,
): Promise<NearChunks | null> {
  const { embedder, vectors } = ctx.ports;
  try {
    const query: VectorQuery = {
      agentId,
      space: embedder.space,
      vector: await embedder.embedQuestion(question, signal),
    };
    const neighbours = await vectors.query(query, poolSize, before);
    const known = new Map(neighbours.map(({ chunkId, similarity }) => [chunkId, similarity]));
    const close = idsFrom(neighbours, (similarity) => similarity >= closeSimilarity);
    const distant = idsFrom(neighbours, (similarity) => similarity >= leastSimilarity && similarity < closeSimilarity);
    return {
      close,
      distant,
      nearest: [...close, ...distant],
      similarityAtMost: (id) => known.get(id) ?? neighbours.at(-1)?.similarity ?? 1,
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
