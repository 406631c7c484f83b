import type { Ctx } from '../core/ctx.ts';
import { requestReEmbedding } from './processing/re-embed-document.ts';
import { removeFailedDocuments } from './remove-failed-documents.ts';
import { removeOrphans } from './remove-orphans.ts';
import { removeLeftReplaced } from './replaced-document.ts';

type Check = (ctx: Ctx, signal: AbortSignal) => Promise<number>;

/** Order matters: the last checks list stores that may be large or slow. */
const checks: readonly [name: string, check: Check][] = [
  ['re-embed', requestReEmbedding],
  ['remove failed', removeFailedDocuments],
  ['remove replaced', removeLeftReplaced],
  ['remove orphaned chunks', (ctx, signal) => removeOrphans(ctx, 'chunks', signal)],
  ['remove orphaned vectors', (ctx, signal) => removeOrphans(ctx, 'vectors', signal)],
  ['remove orphaned files', (ctx, signal) => removeOrphans(ctx, 'files', signal)],
];

/**
 * Compares documents with the data that belongs to them: enqueues re-embedding after a change of the model, and removes
 * old failed documents, replaced ones that are left, and orphaned data. A check that fails does not stop the others; its error is thrown at the end.
 */
export async function checkDocuments(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const [name, check] of checks) {
    signal.throwIfAborted();
    try {
      const documents = await check(ctx, signal);
      if (documents > 0) ctx.log.info({ check: name, documents }, 'checked documents');
    } catch (error) {
      ctx.log.warn({ check: name, err: error }, 'a check of documents failed');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
