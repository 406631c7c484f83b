import type { Ctx } from '../core/ctx.ts';
import type { TaskRun } from '../core/task-handler.ts';
import type { VectorPlace } from './vector-store.ports.ts';

/** Calls to the provider under way at once for one document. */
const concurrency = 4;

const readMissing = {
  name: 'chunks_without_vector',
  text: `
    select c.id, c.position, c.place, c.content from chunks c
    where c.document_id = $1 and c.space is distinct from $2 and c.position > $3 order by c.position limit $4`,
};
const markDone = {
  name: 'chunks_mark_embedded',
  text: `
    with done as (
      update chunks set space = $2 where id = any ($3) and space is distinct from $2 returning 1
    )
    update documents
    set chunks_done = least(chunks_total, chunks_done + case when status = 'processing' then (select count(*) from done) else 0 end)
    where id = $1 returning 1 as alive`,
};

interface MissingChunk {
  id: string;
  position: number;
  place: string;
  content: string;
}

/**
 * Gives every chunk of the document that has none in the space its vector. Each batch is kept as soon as it is there, so
 * that a run which is cut short costs at most what was under way.
 */
export async function embedChunks(
  ctx: Ctx,
  place: VectorPlace,
  run: Pick<TaskRun, 'signal' | 'heartbeat'>,
): Promise<void> {
  const { embedder } = ctx.ports;
  let failure: { error: unknown } | null = null;
  let last = -1;
  let highest = -1;
  let reading: Promise<unknown> = Promise.resolve();

  // Batches are handed out one after the other; embedding them overlaps.
  const nextBatch = (): Promise<MissingChunk[]> => {
    const batch = reading.then(async () => {
      if (failure) return [];
      const rows = await ctx.sql<MissingChunk>(readMissing, [place.documentId, place.space, last, embedder.batchSize]);
      last = rows.at(-1)?.position ?? last;
      return rows;
    });
    reading = batch;
    return batch;
  };
  const worker = async (): Promise<void> => {
    for (let chunks = await nextBatch(); chunks.length > 0; chunks = await nextBatch()) {
      run.signal.throwIfAborted();
      const vectors = await embedder.embed(chunks.map(embeddedText), run.signal);
      await ctx.ports.vectors.upsert(
        place,
        chunks.map(({ id, position }, i) => ({ chunkId: id, position, vector: vectors[i] ?? new Float32Array() })),
      );
      highest = Math.max(highest, ...chunks.map(({ position }) => position));
      const alive = await ctx.sql(markDone, [place.documentId, place.space, chunks.map(({ id }) => id)]);
      // Deleted meanwhile: its removal may have come before these vectors.
      if (alive.length === 0) return ctx.ports.vectors.deleteDocument(place, { count: highest + 1 });
      await run.heartbeat();
    }
  };
  // When one batch fails, those under way are still worth keeping, and no other is begun.
  const workers = Array.from({ length: concurrency }, () =>
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
