import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';

/** How long a failed document can be viewed and retried, in hours. */
const keepHours = 24;
const batchSize = 500;

// The trigger on documents enqueues the removal of files and chunks.
const removeOld = {
  name: 'documents_remove_failed',
  text: `
    delete from documents where id = any (array(
      select id from documents where status = 'failed' and completed_at <= now() - interval '${keepHours} hours'
      order by completed_at limit ${batchSize} for update skip locked))
    returning id`,
};

/**
 * Removes documents that failed at least 24 hours ago and were not retried: they do not count against the plan. Returns
 * their number.
 */
export async function removeFailedDocuments(ctx: Ctx, signal: AbortSignal): Promise<number> {
  for (let removed = 0; ;) {
    signal.throwIfAborted();
    const batch = await inTransaction(ctx, (tx) => tx.sql(removeOld));
    removed += batch.length;
    if (batch.length < batchSize) return removed;
  }
}
