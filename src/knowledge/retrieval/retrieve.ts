import type { Ctx } from '../../core/ctx.ts';
import { describeError } from '../../core/tasks/task-errors.ts';
import { leastBeside } from './blend.ts';
import { readChunks, scoreCandidates } from './candidates.ts';
import { formsOf, type Question, questionOf } from './question.ts';
import { readRelevant, type RetrievedChunk } from './relevant-chunks.ts';
import { isSmallTalk } from './small-talk.ts';
import { readWords, searchText, weighWords } from './text-search.ts';
import type { BesideQuery, Neighbours } from './vector-store.ports.ts';

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
  const reading = readWords(ctx, agentId, question);
  const terms = async () => (only === 'vectors' ? [] : ((await reading)?.words.map(({ term }) => term) ?? []));
  const chunks = readChunks(ctx, agentId, terms, 2 * limit);
  const matching = reading.then((words) => (only === 'vectors' ? [] : searchText(ctx, words, poolSize)));
  // A sample of the chunks with words that nearly all of them contain says nothing; it is better than no result.
  const telling = Promise.all([reading, matching]).then(([words, ids]) => {
    const told = words?.candidates === null ? [] : ids;
    chunks.begin(told);
    return told;
  });
  const [weighed, matches, others, near] = await Promise.all([
    reading.then((words) => (only === 'vectors' || !words ? [] : weighWords(ctx, words))),
    matching,
    telling,
    only === 'text'
      ? null
      : searchVectors(ctx, agentId, question, {
          before: reading,
          others: telling,
          onNearest: chunks.begin,
          ...(signal && { signal }),
        }),
  ]);
  const known = near && new Map([...near.found, ...near.others].map((neighbour) => [neighbour.chunkId, neighbour]));
  const asked = near ? [...near.found.map(({ chunkId }) => chunkId), ...others] : matches;
  const candidates = scoreCandidates(await chunks.rows([...new Set(asked)]), {
    terms: weighed,
    hasContext: question.inContext !== null,
    neighbours: known,
  });
  const best = candidates[0]?.score ?? 0;
  if (best <= 0) return [];
  const least = leastBeside(best, near?.average ?? 0);
  const relevant = candidates.filter(({ score }) => score >= least);
  return readRelevant(ctx, agentId, relevant, limit);
}

/** Returns null when provider or store are unavailable, because full text alone is better than no result. */
async function searchVectors(
  ctx: Ctx,
  agentId: string,
  question: Question,
  { signal, ...beside }: BesideQuery & { signal?: AbortSignal },
): Promise<Neighbours | null> {
  const { embedder, vectors } = ctx.ports;
  try {
    const asked = embedder.embedQuestion(formsOf(question), signal);
    return await vectors.query({ agentId, space: embedder.space, vectors: asked }, poolSize, beside);
  } catch (error) {
    signal?.throwIfAborted();
    ctx.log.warn({ agentId, error: describeError(error) }, 'vectors unavailable, retrieval uses full text only');
    return null;
  }
}
