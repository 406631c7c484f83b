import type { Ctx } from '../../core/ctx.ts';
import { describeError } from '../../core/tasks/task-errors.ts';
import { leastBeside } from './blend.ts';
import { scoreCandidates } from './candidates.ts';
import { formsOf, type Question, questionOf } from './question.ts';
import { readRelevant, type RetrievedChunk } from './relevant-chunks.ts';
import { isSmallTalk } from './small-talk.ts';
import { planTextSearch, searchText } from './text-search.ts';
import type { Neighbour, Neighbours } from './vector-store.ports.ts';

export interface RetrieveOptions {
  limit: number;
  /** The user's turn before the message, to which it may refer. */
  previous?: string | null | Promise<string | null>;
  signal?: AbortSignal;
  /** Runs one of the two searches; both are blended when omitted. */
  only?: 'vectors' | 'text';
}

/** Maximum number of chunks added to a prompt. */
export const passagesPerMessage = 5;

const poolSize = 40;

/**
 * Returns the chunks of an agent's ready documents that are relevant to the message, best first by a blend of words and
 * meaning, without near-duplicates and those far worse than the best. Returns none for small talk, and none when no chunk
 * has anything to do with the message. Uses words alone when vectors are unavailable. Performs no authorization check.
 */
export async function retrieve(
  ctx: Ctx,
  agentId: string,
  message: string,
  options: RetrieveOptions,
): Promise<RetrievedChunk[]> {
  if (isSmallTalk(message)) return [];
  const isReady = (await ctx.sql(anyReady, [agentId])).length > 0;
  return isReady ? search(ctx, agentId, message, options) : [];
}

/** Condition: the agent with this id has a ready document. */
export const hasReadyDocument = (agentId: string): string =>
  `exists (select from documents d where d.agent_id = ${agentId} and d.status = 'ready')`;

const anyReady = { name: 'knowledge_any_ready', text: `select 1 as ready where ${hasReadyDocument('$1')}` };

/** Like `retrieve`, for an agent that is known to have a ready document. */
export async function search(
  ctx: Ctx,
  agentId: string,
  message: string,
  { limit, previous, only, signal }: RetrieveOptions,
): Promise<RetrievedChunk[]> {
  if (isSmallTalk(message)) return [];
  const question = questionOf(message, await previous);
  const planning = planTextSearch(ctx, agentId, question);
  const [plan, matches, near] = await Promise.all([
    planning,
    planning.then((query) => (only === 'vectors' ? [] : searchText(ctx, query, poolSize))),
    only === 'text' ? null : searchVectors(ctx, agentId, question, planning, signal),
  ]);
  // A sample of the chunks with words that nearly all of them contain says nothing; it is better than no result.
  const isTelling = near === null || plan?.candidates !== null;
  const known = new Map(near?.found.map((neighbour) => [neighbour.chunkId, neighbour]));
  const others = isTelling ? matches.filter((id) => !known.has(id)) : [];
  const candidates = await scoreCandidates(ctx, agentId, [...known.keys(), ...others], {
    terms: only === 'vectors' ? [] : (plan?.terms ?? []),
    hasContext: question.inContext !== null,
    likely: [...[...known.keys()].slice(0, 2 * limit), ...matches.slice(0, 2 * limit)],
    neighbours: near ? withOthers(near, known, others) : Promise.resolve(null),
  });
  const best = candidates[0]?.score ?? 0;
  if (best <= 0) return [];
  const least = leastBeside(best, near?.average ?? 0);
  const relevant = candidates.filter(({ score }) => score >= least);
  return readRelevant(ctx, agentId, relevant, limit);
}

async function withOthers(
  near: Neighbours,
  known: ReadonlyMap<string, Neighbour>,
  others: readonly string[],
): Promise<ReadonlyMap<string, Neighbour>> {
  if (others.length === 0) return known;
  // Without them the other chunks are judged by their words.
  const measured = await near.measure(others).catch(() => new Map<string, Neighbour>());
  return new Map([...known, ...measured]);
}

/**
 * Returns null when provider or store are unavailable, because full text alone is better than no result. `before` lets
 * PostgreSQL run the full-text query while a store computes in this process.
 */
async function searchVectors(
  ctx: Ctx,
  agentId: string,
  question: Question,
  before: Promise<unknown>,
  signal?: AbortSignal,
): Promise<Neighbours | null> {
  const { embedder, vectors } = ctx.ports;
  try {
    const asked = await embedder.embedQuestion(formsOf(question), signal);
    return await vectors.query({ agentId, space: embedder.space, vectors: asked }, poolSize, before);
  } catch (error) {
    signal?.throwIfAborted();
    ctx.log.warn({ agentId, error: describeError(error) }, 'vectors unavailable, retrieval uses full text only');
    return null;
  }
}
