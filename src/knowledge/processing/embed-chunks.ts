import pLimit from 'p-limit';
import type { Ctx } from '../../core/ctx.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import type { DocumentVectors } from '../retrieval/vector-store.ports.ts';

/** Number of parallel calls to the provider for one document. */
const concurrency = 4;
/** Maximum number of batches of one document in memory, including those being stored. */
const maxBatches = 8;
/** Minimum time between two heartbeats. Batches may finish faster. */
const heartbeatEveryMs = 1_000;

// Keeps the record of embedded chunks only if it is for the same model and the same chunks.
const begin = {
  name: 'document_embed_begin',
  text: `
    with before as (
      select id, status, coalesce(upper(embedded), 0) as count, embedded_in is distinct from $2 as outdated from documents
      where id = $1 for no key update
    ), emptied as (
      update documents d set embedded = '{}', embedded_in = $2, chunks_done = case when d.status = 'processing' then 0 else d.chunks_done end
      from before where d.id = before.id and before.outdated
    )
    select count, outdated, status = 'processing' as "isProcessing" from before`,
};
// A process that was suspended past its lease may mark chunks that another process has marked already. The multirange
// counts each once.
const markDone = {
  name: 'document_embed_done',
  text: `
    update documents set
      embedded = embedded + (select range_agg(int4range(n, n, '[]')) from unnest($2::integer[]) n),
      chunks_done = chunks_done + case when status = 'processing'
        then (select count(*) from unnest($2::integer[]) n where not embedded @> n) else 0 end
    where id = $1 returning 1 as alive`,
};
const readMissing = {
  name: 'chunks_without_vector',
  text: `
    select c.id, c.position, c.place, c.content from chunks c
    where c.document_id = $1 and not (select embedded from documents where id = $1) @> c.position and c.position > $2 and c.position < $3
    order by c.position limit $4`,
};

/** A chunk with its position in the document, from 0, and its location as text. */
export interface PlacedChunk {
  id: string;
  position: number;
  place: string;
  content: string;
}

/** Embeds the chunks of one document, several batches at a time. */
export interface Embedding {
  /** Number of chunks from the start that may already have a vector from an interrupted attempt. */
  readonly begun: number;
  /** True when no further chunks are embedded: a batch failed, the document was deleted, or the run has ended. */
  readonly isOver: boolean;
  /**
   * Accepts a batch, and resolves when another one can be added. The vectors of a batch are stored after its `stored`
   * promise has resolved, so an interrupted run repeats at most the batches in progress.
   */
  add(chunks: readonly PlacedChunk[], stored?: Promise<unknown>): Promise<void>;
  /**
   * Resolves when every batch has its vectors.
   * @throws the first failure; the signal's reason after an abort
   */
  end(): Promise<void>;
}

/** Starts or resumes embedding a document in the given space. */
export async function startEmbedding(
  ctx: Ctx,
  target: DocumentVectors,
  run: Pick<TaskRun, 'signal' | 'heartbeat'>,
): Promise<Embedding> {
  const { embedder, vectors } = ctx.ports;
  const { documentId } = target;
  const calling = pLimit(concurrency);
  const inProgress = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;
  let isGone = false;
  let highest = -1;
  let beatAt = performance.now();

  const embedBatch = async (chunks: readonly PlacedChunk[], stored: Promise<unknown>): Promise<void> => {
    const calls = calling(() => embedder.embed(chunks.map(embeddedText), run.signal));
    const [made] = await Promise.all([calls, stored]);
    run.signal.throwIfAborted();
    const positions = chunks.map(({ position }) => position);
    await vectors.upsert(
      target,
      chunks.map(({ id, position }, i) => ({ chunkId: id, position, vector: made[i] ?? new Float32Array() })),
    );
    highest = Math.max(highest, ...positions);
    const alive = await ctx.sql(markDone, [documentId, positions]);
    // The document was deleted while the vectors were computed, possibly before they were written.
    if (alive.length === 0) {
      isGone = true;
      return vectors.deleteDocument(target, { count: highest + 1 });
    }
    if (performance.now() - beatAt < heartbeatEveryMs) return;
    beatAt = performance.now();
    await run.heartbeat();
  };

  const { tokens, overlapTokens } = ctx.config.knowledge.chunkSize;
  const madeOf = `${target.space} ${tokens},${overlapTokens}`;
  const [before] = await ctx.sql<{ count: number; outdated: boolean; isProcessing: boolean }>(begin, [
    documentId,
    madeOf,
  ]);
  const { count = 0, outdated = false, isProcessing = false } = before ?? {};
  if (outdated && isProcessing && count > 0) await vectors.deleteDocument(target, { count });

  const isOver = (): boolean => failure !== null || isGone || run.signal.aborted;
  return {
    begun: outdated ? 0 : count,
    get isOver() {
      return isOver();
    },
    // After a failure, batches in progress are still stored but no new one starts.
    add: async (chunks, stored = Promise.resolve()) => {
      if (isOver()) return void (await stored);
      const batch = embedBatch(chunks, stored)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => inProgress.delete(batch));
      inProgress.add(batch);
      if (inProgress.size >= maxBatches) await Promise.race(inProgress);
    },
    end: async () => {
      await Promise.all(inProgress);
      run.signal.throwIfAborted();
      const failed = failure as { error: unknown } | null;
      if (failed) throw failed.error as Error;
    },
  };
}

/** Adds the chunks that have no vector, at positions from `from` (inclusive) to `to` (exclusive). */
export async function addMissing(
  ctx: Ctx,
  documentId: string,
  embedding: Embedding,
  { from = 0, to = maxCount }: { from?: number; to?: number } = {},
): Promise<void> {
  const { batchSize } = ctx.ports.embedder;
  for (let last = from - 1; !embedding.isOver;) {
    const chunks = await ctx.sql<PlacedChunk>(readMissing, [documentId, last, to, batchSize]);
    if (chunks.length > 0) await embedding.add(chunks);
    if (chunks.length < batchSize) return;
    last = chunks.at(-1)?.position ?? last;
  }
}

const maxCount = 2 ** 31 - 1;

/** Text that is embedded for a chunk. Headings add meaning to its content. */
const embeddedText = ({ place, content }: PlacedChunk): string => (place ? `${place}\n${content}` : content);
