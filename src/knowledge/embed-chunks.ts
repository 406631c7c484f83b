import pLimit from 'p-limit';
import type { Ctx } from '../core/ctx.ts';
import type { TaskRun } from '../core/task-handler.ts';
import type { VectorPlace } from './vector-store.ports.ts';

/** Calls to the provider under way at once for one document. */
const concurrency = 4;
/** Batches of one document in memory, those among them that are only being read or stored. */
const maxBatches = 8;

// What another model made or was made of other chunks does not count.
const begin = {
  name: 'document_embed_begin',
  text: `
    with before as (
      select id, status, coalesce(upper(embedded), 0) as count from documents
      where id = $1 and embedded_in is distinct from $2 for no key update
    )
    update documents d set embedded = '{}', embedded_in = $2, chunks_done = case when d.status = 'processing' then 0 else d.chunks_done end
    from before where d.id = before.id returning case when before.status = 'processing' then before.count else 0 end as "notReady"`,
};
const readMissing = {
  name: 'chunks_without_vector',
  text: `
    select c.id, c.position, c.place, c.content from chunks c
    where c.document_id = $1 and not (select embedded from documents where id = $1) @> c.position and c.position > $2 and c.position < $3
    order by c.position limit $4`,
};
const markDone = {
  name: 'document_embed_done',
  text: `
    update documents set
      embedded = embedded + (select range_agg(int4range(n, n, '[]')) from unnest($2::integer[]) n),
      chunks_done = chunks_done + case when status = 'processing' then cardinality($2) else 0 end
    where id = $1 returning 1 as alive`,
};

interface MissingChunk {
  id: string;
  position: number;
  place: string;
  content: string;
}

/** Chunks of a document that are still being stored while others are embedded already. */
export interface Arrivals {
  /** Of the chunks from the first on; those behind may be what an earlier attempt made. */
  readonly count: number;
  /** No more will come. */
  readonly isOver: boolean;
  /** Resolves when some have come, or no more will. */
  next(): Promise<void>;
}

const maxCount = 2 ** 31 - 1;
const allThere: Arrivals = { count: maxCount, isOver: true, next: () => Promise.resolve() };

/**
 * Gives every chunk of the document that has none in the space its vector, also those that arrive meanwhile. Each batch
 * is kept as soon as it is there, so that a run which is cut short costs at most what was under way.
 */
export async function embedChunks(
  ctx: Ctx,
  place: VectorPlace,
  run: Pick<TaskRun, 'signal' | 'heartbeat'>,
  arrivals = allThere,
): Promise<void> {
  const { embedder, vectors } = ctx.ports;
  const { documentId } = place;
  const embedding = pLimit(concurrency);
  let failure: { error: unknown } | null = null;
  let last = -1;
  let highest = -1;
  let reading: Promise<unknown> = Promise.resolve();

  // Only full batches, until the rest is known to be all.
  const readBatch = async (): Promise<MissingChunk[]> => {
    for (;;) {
      if (failure || run.signal.aborted) return [];
      const { isOver, count } = arrivals;
      const arrival = arrivals.next();
      const rows = await ctx.sql<MissingChunk>(readMissing, [documentId, last, count, embedder.batchSize]);
      if (isOver || rows.length === embedder.batchSize) {
        last = rows.at(-1)?.position ?? last;
        return rows;
      }
      await arrival;
    }
  };
  // Batches are handed out one after the other; embedding and storing them overlaps.
  const nextBatch = (): Promise<MissingChunk[]> => {
    const batch = reading.then(readBatch);
    reading = batch;
    return batch;
  };
  const worker = async (): Promise<void> => {
    for (let chunks = await nextBatch(); chunks.length > 0; chunks = await nextBatch()) {
      const texts = chunks.map(embeddedText);
      const made = await embedding(() => embedder.embed(texts, run.signal));
      run.signal.throwIfAborted();
      const positions = chunks.map(({ position }) => position);
      await vectors.upsert(
        place,
        chunks.map(({ id, position }, i) => ({ chunkId: id, position, vector: made[i] ?? new Float32Array() })),
      );
      highest = Math.max(highest, ...positions);
      const alive = await ctx.sql(markDone, [documentId, positions]);
      // Deleted meanwhile: its removal may have come before these vectors.
      if (alive.length === 0) return vectors.deleteDocument(place, { count: highest + 1 });
      await run.heartbeat();
    }
  };
  const { tokens, overlapTokens } = ctx.config.knowledge.chunkSize;
  const [outdated] = await ctx.sql<{ notReady: number }>(begin, [
    documentId,
    `${place.space} ${tokens},${overlapTokens}`,
  ]);
  if (outdated && outdated.notReady > 0) await vectors.deleteDocument(place, { count: outdated.notReady });
  // When one batch fails, those under way are still worth keeping, and no other is begun.
  const workers = Array.from({ length: maxBatches }, () =>
    worker().catch((error: unknown) => {
      failure ??= { error };
    }),
  );
  await Promise.all(workers);
  run.signal.throwIfAborted();
  const failed = failure as { error: unknown } | null;
  if (failed) throw failed.error as Error;
}

/** A chunk means more under its headings. */
const embeddedText = ({ place, content }: MissingChunk): string => (place ? `${place}\n${content}` : content);
