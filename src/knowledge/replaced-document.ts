import { callerId } from '../accounts/caller.ts';
import { lockPlan } from '../accounts/plan.ts';
import type { Ctx } from '../core/ctx.ts';
import { onCommitted } from '../core/database/transaction.ts';
import { AppError } from '../core/errors.ts';
import { isId } from '../core/ids.ts';

/** A document that another one will replace. */
export interface ReplacedDocument {
  id: string;
  /** Whether it counts against the plan. Then its replacement adds nothing. */
  isCounted: boolean;
}

// If a replacement failed, the next one replaces the original document. The lock keeps that document until the commit.
const lock = {
  name: 'document_lock_replaced',
  text: `
    select d.id, d.status <> 'failed' as "isCounted",
      d.status = 'processing' and d.replaces is not null
        or exists (select from documents other where other.replaces = d.id and other.status = 'processing') as "isBusy"
    from documents given
    join documents d on d.id = case when given.status = 'failed' then coalesce(given.replaces, given.id) else given.id end
    where given.id = $1 and given.agent_id = $2 for key share of d`,
};

/**
 * Finds the document that an upload to this agent replaces, or null when the agent has none with this ID. Locks the
 * owner's row: a document has at most one replacement in progress, which has none itself, so that their number is bounded.
 * @throws AppError `conflict` while the document is a replacement in progress or has one
 */
export async function lockReplaced(ctx: Ctx, agentId: string, id: string): Promise<ReplacedDocument | null> {
  await lockPlan(ctx, callerId(ctx));
  const [found] = isId('doc_', id) ? await ctx.sql<ReplacedDocument & { isBusy: boolean }>(lock, [id, agentId]) : [];
  if (found?.isBusy)
    throw new AppError('conflict', {
      message: 'A replacement is still being processed. Try again when it is ready or has failed.',
    });
  return found ?? null;
}

const lockForRemoval = {
  name: 'document_lock_for_removal',
  text: `select from documents where id = $1 for update`,
};
const remove = {
  name: 'document_remove_replaced',
  text: `delete from documents where id = $1 or (replaces = $1 and status = 'failed')`,
};

/** Locks a document before its replacement, in the same order as a deletion, to avoid a deadlock. */
export const lockReplacedForRemoval = async (ctx: Ctx, id: string): Promise<void> =>
  void (await ctx.sql(lockForRemoval, [id]));

/**
 * Deletes a document whose replacement has become ready, together with the failed attempts to replace it. A trigger
 * enqueues the removal of their chunks, vectors and files.
 */
export async function removeReplaced(ctx: Ctx, id: string): Promise<void> {
  await ctx.sql(remove, [id]);
  onCommitted(ctx, () => ctx.ports.tasks.wake('document.remove'));
}

const batchSize = 500;
const removeLeft = {
  name: 'documents_remove_left_replaced',
  text: `
    delete from documents where id = any (array(
      select replaces from documents where replaces is not null and status = 'ready' limit ${batchSize}))
    returning id`,
};

/**
 * Deletes documents whose replacement was made ready by an instance of a release that does not know replacements. Returns
 * their number.
 */
export async function removeLeftReplaced(ctx: Ctx, signal: AbortSignal): Promise<number> {
  for (let removed = 0; ;) {
    signal.throwIfAborted();
    const batch = await ctx.sql(removeLeft);
    removed += batch.length;
    if (batch.length < batchSize) return removed;
  }
}
