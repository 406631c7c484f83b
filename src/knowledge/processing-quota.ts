import { lockPlan } from '../accounts/plan.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { maxDocumentBytes } from './document-content.ts';

/** How often a day all documents that the plan allows, at their largest size, can be processed. */
const timesADay = 2;
const dayMs = 86_400_000;

const reserve = {
  name: 'document_bytes_reserve',
  text: `
    insert into usage_counters as u (user_id, day, messages, document_bytes) values ($1, $2, 0, $3)
    on conflict (user_id, day) do update set document_bytes = u.document_bytes + $3 where u.document_bytes + $3 <= $4
    returning document_bytes`,
};

/**
 * Counts a document against the owner's daily limit (UTC) before it is processed: each time all of it is embedded, also
 * when it is deleted and uploaded again, replaced or retried.
 * @throws AppError `rate_limited` until UTC midnight
 */
export async function reserveProcessing(tx: Ctx, ownerId: string, sizeBytes: number): Promise<void> {
  const now = tx.clock.now();
  const limit = timesADay * maxDocumentBytes * tx.catalog.planLimits.knowledgeDocuments[await lockPlan(tx, ownerId)];
  if ((await tx.sql(reserve, [ownerId, now.toISOString().slice(0, 10), sizeBytes, limit])).length > 0) return;
  throw new AppError('rate_limited', {
    message: `Your plan processes ${(limit / 1_048_576).toLocaleString('en-US')} MB of documents a day. The count starts again at midnight UTC.`,
    retryAfterSeconds: Math.ceil((dayMs - (now.getTime() % dayMs)) / 1_000),
  });
}
