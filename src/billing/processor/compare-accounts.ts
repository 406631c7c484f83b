import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError } from '../../core/errors.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { type KeyRange, listRanges } from '../../core/tasks/key-ranges.ts';
import { enqueueTask, enqueueTasks } from '../../core/tasks/tasks.ts';
import { findBillingAccount, type PaidAccount } from '../billing-accounts.ts';
import { BillingComparison } from './billing-comparison.entity.ts';
import { cancelForLeaver } from '../subscriptions/cancel-subscription.ts';
import { syncAccount } from './sync-account.ts';

/** Accounts after `after`, up to and including `through`; when `through` is null, all accounts after `after`. */
export interface AccountRange {
  after: string;
  through: string | null;
}

const rangeSize = 500;
/** Number of consecutive failures that indicates that the processor is down. */
const failuresToStop = 20;

const accounts = { table: 'billing_accounts', key: { user_id: '' } };

/**
 * Starts the daily comparison of all accounts with the payment processor, or continues it after `after`. Enqueues one
 * task for each range of accounts, which all instances share, and one for the remaining accounts. A range that has been
 * waiting since the day before is not enqueued twice.
 */
export async function startComparison(ctx: Ctx, { after }: { after?: string }, run: TaskRun): Promise<void> {
  const { ranges, rest } = await listRanges(ctx, accounts, { after: [after ?? ''], size: rangeSize });
  await inTransaction(ctx, async (tx) => {
    const empty = { onlyRow: true, finishedAt: tx.clock.now(), compared: 0, drifted: 0, failed: 0 };
    if (after === undefined) await tx.em.upsert(BillingComparison, empty);
    await enqueueTasks(tx, 'billing.compare-range', ranges.map(rangeTask));
    if (rest) await enqueueTask(tx, 'billing.compare', { after: rest.join() }, { key: rest.join() });
    await run.complete(tx);
  });
}

const rangeTask = ({ after, through }: KeyRange): { key: string; payload: AccountRange } => ({
  key: after.join(),
  payload: { after: after.join(), through: through && through.join() },
});

// Plain SQL, which reads the accounts and whether their owner has requested deletion in one statement.
const selectRange = {
  name: 'billing_compare_accounts',
  text: `
    select b.user_id as "userId", u.deletion_requested_at is not null as leaving
    from billing_accounts b join users u on u.id = b.user_id
    where b.user_id > $1 and ($2::text is null or b.user_id <= $2) order by b.user_id`,
};

/**
 * Corrects the accounts of a range that differ from the processor, and stops the renewal for users who have requested
 * deletion. Counts are added when the task completes; an interrupted range is compared again.
 * @throws AppError `unavailable` while the processor is down
 */
export async function compareRange(ctx: Ctx, { after, through }: AccountRange, run: TaskRun): Promise<void> {
  const counts = { compared: 0, drifted: 0, failed: 0 };
  let failuresInARow = 0;
  for (const { userId, leaving } of await ctx.sql<{ userId: string; leaving: boolean }>(selectRange, [
    after,
    through,
  ])) {
    run.signal.throwIfAborted();
    await run.heartbeat();
    try {
      if (await syncAccount(ctx, userId)) counts.drifted += 1;
      if (leaving) await cancelRenewal(ctx, userId);
      counts.compared += 1;
      failuresInARow = 0;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      counts.failed += 1;
      failuresInARow += 1;
      if (failuresInARow >= failuresToStop) throw error;
    }
  }
  await inTransaction(ctx, async (tx) => {
    await addCounts(tx, counts);
    await run.complete(tx);
  });
  if (counts.drifted + counts.failed > 0) ctx.log.info(counts, 'accounts differed from the payment processor');
}

async function cancelRenewal(ctx: Ctx, userId: string): Promise<void> {
  const account = await findBillingAccount(ctx, userId);
  if (account?.subscriptionId && !account.cancelAt) await cancelForLeaver(ctx, userId, account as PaidAccount);
}

// Plain SQL that adds in the database, because several ranges can end at the same time.
const addToComparison = {
  name: 'billing_comparison_add',
  text: `
    update billing_comparison
    set finished_at = $1, compared = compared + $2, drifted = drifted + $3, failed = failed + $4`,
};

const addCounts = async (tx: Ctx, { compared, drifted, failed }: Record<'compared' | 'drifted' | 'failed', number>) =>
  void (await tx.sql(addToComparison, [tx.clock.now(), compared, drifted, failed]));

/** Returns the last comparison, or the progress of the current one; null before the first. */
export const findLastComparison = (ctx: Ctx): Promise<BillingComparison | null> =>
  ctx.em.findOne(BillingComparison, { onlyRow: true }, { disableIdentityMap: true });
