import type { Ctx } from '../core/ctx.ts';
import type { TaskRun } from '../core/task-handler.ts';
import { inTransaction } from '../core/transaction.ts';
import { enqueuePurge, gracePeriodMs } from './account-deletion.ts';
import type { PurgeCounts } from './purge.ports.ts';
import { purgeRows } from './purge-rows.ts';

const lockUser = {
  name: 'purge_lock_user',
  text: `select deletion_requested_at as "requestedAt" from users where id = $1 for update`,
};
const openReceipt = {
  name: 'purge_open_receipt',
  text: `
    insert into deletion_receipts (user_id, requested_at, started_at) values ($1, $2, $3)
    on conflict (user_id) do nothing`,
};
const addCounts = {
  name: 'purge_add_counts',
  text: `
    update deletion_receipts set counts = counts || (
      select coalesce(jsonb_object_agg(key, value::bigint + coalesce((counts ->> key)::bigint, 0)), '{}')
      from jsonb_each_text($2::jsonb))
    where user_id = $1`,
};
const closeReceipt = {
  name: 'purge_close_receipt',
  text: `update deletion_receipts set user_id = null, completed_at = $2 where user_id = $1`,
};
const deleteUser = { name: 'purge_delete_user', text: `delete from users where id = $1` };
const deleteTasks = {
  name: 'purge_delete_tasks',
  text: `
    delete from tasks where state <> 'running' and (key = $1 or strpos(payload::text, $1) > 0 or strpos(last_error, $1) > 0)`,
};

/**
 * Removes all there is of an account whose grace period is over and leaves a receipt that names nobody. Can be killed at
 * any point and run again: outside things go before the rows that lead to them, and the user's row goes last, in one
 * commit with the end of the task.
 */
export async function purgeAccount(ctx: Ctx, userId: string, run: TaskRun): Promise<void> {
  if (!(await isDue(ctx, userId))) return;
  for (const step of ctx.ports.purgeSteps) {
    const counts = await step.purge(ctx, userId, run.signal);
    await note(ctx, userId, counts);
    await run.heartbeat();
  }
  await purgeRows(ctx, userId, async (tx, table, count) => {
    await note(tx, userId, { [table]: count });
    await run.heartbeat();
  });
  await inTransaction(ctx, async (tx) => {
    await tx.sql(deleteTasks, [userId]);
    await tx.sql(deleteUser, [userId]);
    await tx.sql(closeReceipt, [userId, tx.clock.now()]);
    await run.complete(tx);
  });
  ctx.log.info('an account was purged');
}

/** Decides under the lock that a restore takes too: from here on there is no way back. */
const isDue = (ctx: Ctx, userId: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const [user] = await tx.sql<{ requestedAt: Date | null }>(lockUser, [userId]);
    if (!user?.requestedAt) return false;
    const ends = new Date(user.requestedAt.getTime() + gracePeriodMs);
    if (ends > now) {
      // Restored and deleted again meanwhile: the task came at the time of the first deletion.
      await enqueuePurge(tx, userId, ends);
      return false;
    }
    await tx.sql(openReceipt, [userId, user.requestedAt, now]);
    return true;
  });

const note = async (ctx: Ctx, userId: string, counts: PurgeCounts): Promise<void> =>
  void (await ctx.sql(addCounts, [userId, JSON.stringify(counts)]));
