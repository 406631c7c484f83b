import type { Ctx } from '../../core/ctx.ts';
import { describeError } from '../../core/tasks/task-errors.ts';
import { mayBeEnglish } from '../processing/document-language.ts';
import { leastBestScore, minScore } from './blend.ts';
import { readChunks, scoreCandidates } from './candidates.ts';
import { formsOf, type Question, questionOf } from './question.ts';
import { readRelevant, type RetrievedChunk } from './relevant-chunks.ts';
import { isSmallTalk } from './small-talk.ts';
import { readWords, searchText, weighWords } from './text-search.ts';
import type { ConcurrentWork, Neighbours } from './vector-store.ports.ts';
import { countWords, coverageQueryOf } from './word-coverage.ts';

export interface RetrieveOptions {
  limit: number;
  /** The user's turn before the message, to which the message may refer. */
  previous?: string | null | Promise<string | null>;
  signal?: AbortSignal;
  /** Restricts retrieval to one of the two searches. Both are blended when omitted. */
  only?: 'vectors' | 'text';
}

/** Maximum number of chunks added to a prompt. */
export const passagesPerMessage = 5;

const poolSize = 40;

/**
 * Returns the chunks of an agent's ready documents that are relevant to the message, best first by a blend of words and
 * meaning, without near-duplicates and without those far worse than the best. Returns none for small talk, or when no
 * chunk is related to the message. Uses words alone when vectors are unavailable. Performs no authorization check.
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

/** SQL condition: the agent with this id has a ready document. */
export const hasReadyDocument = (agentId: string): string =>
  `exists (select from documents d where d.agent_id = ${agentId} and d.status = 'ready')`;

const anyReady = { name: 'knowledge_any_ready', text: `select 1 as ready where ${hasReadyDocument('$1')}` };

/** Does the same as `retrieve`, for an agent that is known to have a ready document. */
export async function search(
  ctx: Ctx,
  agentId: string,
  message: string,
  { limit, previous, only, signal }: RetrieveOptions,
): Promise<RetrievedChunk[]> {
  if (isSmallTalk(message)) return [];
  const question = questionOf(message, await previous);
  const reading = readWords(ctx, agentId, question);
  const weighing = reading.then((words) => (only === 'vectors' || !words ? null : weighWords(ctx, words)));
  const covering = reading.then((words) => (only === 'vectors' || !words ? null : coverageQueryOf(words.words)));
  const chunks = readChunks(ctx, agentId, async () => (await covering)?.queries ?? [], 2 * limit);
  const matching = reading.then((words) => (only === 'vectors' ? [] : searchText(ctx, words, poolSize)));
  // When nearly all chunks contain the words, a sample of those chunks is uninformative. It is used only when vectors
  // are unavailable.
  const informative = Promise.all([reading, matching, weighing]).then(([words, ids, weighed]) => {
    const informativeIds = [...(weighed?.withRareWord ?? []), ...(words?.candidates === null ? [] : ids)];
    chunks.begin(informativeIds);
    return informativeIds;
  });
  const [query, weighed, matches, others, near] = await Promise.all([
    covering,
    weighing,
    matching,
    informative,
    only === 'text'
      ? null
      : searchVectors(ctx, agentId, question, {
          before: reading,
          others: informative,
          onNearest: chunks.begin,
          ...(signal && { signal }),
        }),
  ]);
  const known = near && new Map([...near.found, ...near.others].map((neighbour) => [neighbour.chunkId, neighbour]));
  const asked = near ? [...near.found.map(({ chunkId }) => chunkId), ...others] : [...others, ...matches];
  const candidates = scoreCandidates(await chunks.rows([...new Set(asked)]), {
    query,
    frequencies: weighed?.frequencies ?? new Map(),
    hasContext: question.inContext !== null,
    neighbours: known,
  });
  const best = candidates[0]?.score ?? 0;
  const isRelated = best > leastBestScore(countWords((await reading)?.words ?? [], question.inContext !== null));
  const threshold = isRelated ? minScore(best, near?.average ?? 0) : Infinity;
  const relevant = candidates.filter(({ score, isCertain }) => isCertain || score >= threshold);
  return readRelevant(ctx, agentId, relevant, limit);
}

/**
 * Searches by meaning. Returns null when the model cannot read the question, or the provider or the store is
 * unavailable, because full text alone is better than no result.
 */
async function searchVectors(
  ctx: Ctx,
  agentId: string,
  question: Question,
  { signal, ...concurrent }: ConcurrentWork & { signal?: AbortSignal },
): Promise<Neighbours | null> {
  const { embedder, vectors } = ctx.ports;
  if (embedder.isEnglishOnly && !formsOf(question).every(mayBeEnglish)) return null;
  try {
    const asked = embedder.embedQuestion(formsOf(question), signal);
    return await vectors.query({ agentId, space: embedder.space, vectors: asked }, poolSize, concurrent);
  } catch (error) {
    signal?.throwIfAborted();
    ctx.log.warn({ agentId, error: describeError(error) }, 'vectors unavailable, retrieval uses full text only');
    return null;
  }
}
