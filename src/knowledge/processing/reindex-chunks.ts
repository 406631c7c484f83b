import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { otherSpellings } from '../figures.ts';
import { languageOf, sampleLength } from './document-language.ts';

/** Number of chunks whose spellings are found at once, for a few milliseconds without other work. */
const batchSize = 50;
/** How long one task works before the next one continues, so that a restart repeats little. */
const shiftMs = 20_000;

const nextDocument = {
  name: 'chunks_reindex_document',
  text: `select id from documents where id > $1 and status = 'ready' order by id limit 1`,
};
const readBatch = {
  name: 'chunks_reindex_read',
  text: `
    select position, content from chunks where document_id = $1 and position > $2 order by position limit ${batchSize}`,
};
// Writing a chunk indexes it. One that is written meanwhile keeps what its writer gave it, and one with the current
// form is not written.
const writeBatch = {
  name: 'chunks_reindex_write',
  text: `
    update chunks c set spellings = t.spellings, language = $5::regconfig
    from unnest($2::integer[], $3::text[], $4::text[]) as t (position, content, spellings)
    where c.document_id = $1 and c.position = t.position and c.content = t.content
      and ((c.spellings, c.language) is distinct from (t.spellings, $5::regconfig)
        or c.terms is distinct from search_vector(c.language, c.place || ' ' || c.content || ' ' || c.spellings))`,
};
const setLanguage = {
  name: 'chunks_reindex_language',
  text: `update documents set language = $2::regconfig where id = $1 and language <> $2::regconfig and status = 'ready'`,
};

interface StoredChunk {
  position: number;
  content: string;
}

/**
 * Indexes the chunks of the documents after `after` again, in batches. Idempotent. Needed once after a change of how the
 * words of a chunk are indexed: of the SQL function `search_vector`, of other spellings, or of the languages.
 */
export async function reindexChunks(ctx: Ctx, { after }: { after: string }, run: TaskRun): Promise<void> {
  const endsAtMs = performance.now() + shiftMs;
  let done = after;
  do {
    const [document] = await ctx.sql<{ id: string }>(nextDocument, [done]);
    if (!document) return;
    await reindexDocument(ctx, document.id, run);
    done = document.id;
  } while (performance.now() < endsAtMs);
  await inTransaction(ctx, async (tx) => {
    await run.complete(tx);
    await enqueueTask(tx, 'document.reindex', { after: done }, { key: 'all', maxAttempts: 1_000 });
  });
}

async function reindexDocument(ctx: Ctx, documentId: string, run: TaskRun): Promise<void> {
  const language = await readLanguage(ctx, documentId);
  for (let last = -1; ;) {
    run.signal.throwIfAborted();
    const chunks = await ctx.sql<StoredChunk>(readBatch, [documentId, last]);
    if (chunks.length === 0) break;
    const positions = chunks.map(({ position }) => position);
    const contents = chunks.map(({ content }) => content);
    await ctx.sql(writeBatch, [documentId, positions, contents, contents.map(otherSpellings), language]);
    last = positions.at(-1) ?? last;
    await run.heartbeat();
  }
  await ctx.sql(setLanguage, [documentId, language]);
}

/** Returns the language of a document by the chunks with its beginning. */
async function readLanguage(ctx: Ctx, documentId: string): Promise<string> {
  let text = '';
  for (let last = -1; text.length < sampleLength;) {
    const chunks = await ctx.sql<StoredChunk>(readBatch, [documentId, last]);
    if (chunks.length === 0) break;
    text += chunks.map(({ content }) => `${content}\n`).join('');
    last = chunks.at(-1)?.position ?? last;
  }
  return languageOf(text);
}
