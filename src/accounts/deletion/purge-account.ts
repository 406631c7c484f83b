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
 * Removes all data of an account whose grace period has ended, and leaves a receipt that does not identify the user. It
 * can be killed at any point and repeated: data in other systems is removed before the rows that reference it, and the
 * user's row last, in one commit with the end of the task.
 * @throws Error when a step failed; the later steps have run and the rows remain
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

/** Creates the receipt under the lock that a restore takes too. From then on the account cannot be restored. */
const begin = (ctx: Ctx, userId: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const user = await lockUser(tx, userId);
    if (!user?.deletionRequestedAt) return false;
    const leftMs = graceLeftMs(user.deletionRequestedAt, now);
    if (leftMs > 0) {
      // The account was restored and deleted again, and this task is from the first deletion.
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

// Plain SQL, because it must use two indexes: that of live tasks by kind and key, and that of failed tasks by key.
const deleteLive = {
  name: 'purge_live_tasks',
  text: `delete from tasks where state = 'pending' and kind = any ($2::text[]) and key = $1`,
};
const deleteFailed = { name: 'purge_tasks_of_user', text: `delete from tasks where state = 'failed' and key = $1` };

/** Removes the tasks whose key is the user's id. Tasks of the user's other objects become no-ops. */
async function removeTasks(tx: Ctx, userId: string): Promise<void> {
  await tx.sql(deleteLive, [userId, tx.catalog.jobs.map(({ kind }) => kind)]);
  await tx.sql(deleteFailed, [userId]);
}
