import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { PurgeCounts } from '../../core/feature.ts';
import { runEach } from '../../core/run-each.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { User } from '../user.entity.ts';
import { enqueuePurge, graceLeftMs, lockUser } from './account-deletion.ts';
import { DeletionReceipt } from './deletion-receipt.entity.ts';
import { purgeRows } from './purge-rows.ts';

/**
 * Removes everything of an account whose grace period is over and leaves a receipt that does not identify the person. It
 * can be killed at any point and run again: what other systems keep goes before the rows that lead to it, and the user's
 * row goes last, in one commit with the end of the task.
 * @throws Error when a step failed; the steps behind it have run, the rows remain
 */
export async function purgeAccount(ctx: Ctx, userId: string, run: TaskRun): Promise<void> {
  if (!(await begin(ctx, userId))) return;
  await runEach(ctx, ctx.catalog.purgeSteps, run.signal, async (step) => {
    const counts = await step.purge(ctx, userId, run.signal);
    await inTransaction(ctx, (tx) => addCounts(tx, userId, counts));
    await run.heartbeat();
  });
  await purgeRows(ctx, userId, async (tx, table, count) => {
    await addCounts(tx, userId, { [table]: count });
    await run.heartbeat();
  });
  await inTransaction(ctx, async (tx) => {
    await removeTasks(tx, userId);
    await tx.em.nativeDelete(User, { id: userId });
    await tx.em.nativeUpdate(DeletionReceipt, { userId }, { userId: null, completedAt: tx.clock.now() });
    await run.complete(tx);
  });
  ctx.log.info('purged an account');
}

/** Opens the receipt under the lock that a restore takes too; from then on the account can't be restored. */
const begin = (ctx: Ctx, userId: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const user = await lockUser(tx, userId);
    if (!user?.deletionRequestedAt) return false;
    const leftMs = graceLeftMs(user.deletionRequestedAt, now);
    if (leftMs > 0) {
      // The account was restored and deleted again; the task ran at the end of the first grace period.
      await enqueuePurge(tx, userId, leftMs);
      return false;
    }
    const receipt = { userId, requestedAt: user.deletionRequestedAt, startedAt: now };
    await tx.em.upsert(DeletionReceipt, receipt, { onConflictFields: ['userId'], onConflictAction: 'ignore' });
    return true;
  });

async function addCounts(tx: Ctx, userId: string, counts: PurgeCounts): Promise<void> {
  const receipt = await tx.em.findOneOrFail(DeletionReceipt, { userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const total = { ...receipt.counts };
  for (const [kind, count] of Object.entries(counts)) total[kind] = (total[kind] ?? 0) + count;
  receipt.counts = total;
  await tx.em.flush();
}

// SQL, because it must use the index of live tasks, which is by kind and key, and the one of failed tasks by key.
const deleteLive = {
  name: 'purge_live_tasks',
  text: `delete from tasks where state = 'pending' and kind = any ($2::text[]) and key = $1`,
};
const deleteFailed = { name: 'purge_tasks_of_user', text: `delete from tasks where state = 'failed' and key = $1` };

/** Removes the tasks that name the user. Those of a user's things are no-ops once the things are gone. */
async function removeTasks(tx: Ctx, userId: string): Promise<void> {
  await tx.sql(deleteLive, [userId, tx.catalog.jobs.map(({ kind }) => kind)]);
  await tx.sql(deleteFailed, [userId]);
}
