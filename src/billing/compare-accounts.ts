import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { findBillingAccount, type PaidAccount } from './billing-accounts.ts';
import { cancelForLeaver } from './cancel-subscription.ts';
import { syncAccount } from './sync-account.ts';

/** How our copies stood against the processor. */
export interface Comparison {
  finishedAt: Date;
  compared: number;
  /** Accounts that differed and were mended. */
  drifted: number;
  /** Accounts that could not be compared. */
  failed: number;
}

const batchSize = 100;
// More in a row than chance explains: the processor is down, and tomorrow is another night.
const failuresToStop = 20;

const selectBatch = {
  name: 'billing_compare_batch',
  text: `
    select b.user_id as "userId", u.deletion_requested_at is not null as leaving
    from billing_accounts b join users u on u.id = b.user_id where b.user_id > $1 order by b.user_id limit $2`,
};
const store = {
  name: 'billing_comparison_store',
  text: `
    insert into billing_comparison (finished_at, compared, drifted, failed) values ($1, $2, $3, $4)
    on conflict (only_row) do update set finished_at = $1, compared = $2, drifted = $3, failed = $4`,
};

/**
 * Compares every account that the processor knows with what it has, and mends what differs. Somebody who is leaving is
 * not charged again. `onProgress` is called for each account.
 */
export async function compareAccounts(ctx: Ctx, onProgress: () => Promise<void>): Promise<Comparison> {
  const result = { finishedAt: ctx.clock.now(), compared: 0, drifted: 0, failed: 0 };
  let failuresInARow = 0;
  for (let after = ''; failuresInARow < failuresToStop;) {
    const batch = await ctx.sql<{ userId: string; leaving: boolean }>(selectBatch, [after, batchSize]);
    for (const { userId, leaving } of batch) {
      await onProgress();
      after = userId;
      try {
        if (await syncAccount(ctx, userId)) result.drifted += 1;
        if (leaving) await cancelIfRunning(ctx, userId);
        result.compared += 1;
        failuresInARow = 0;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        result.failed += 1;
        failuresInARow += 1;
        if (failuresInARow >= failuresToStop) break;
      }
    }
    if (batch.length < batchSize) break;
  }
  result.finishedAt = ctx.clock.now();
  await ctx.sql(store, [result.finishedAt, result.compared, result.drifted, result.failed]);
  return result;
}

async function cancelIfRunning(ctx: Ctx, userId: string): Promise<void> {
  const account = await findBillingAccount(ctx, userId);
  if (account?.subscriptionId && !account.cancelAt) await cancelForLeaver(ctx, userId, account as PaidAccount);
}

const selectLast = {
  name: 'billing_comparison_last',
  text: 'select finished_at as "finishedAt", compared, drifted, failed from billing_comparison',
};

/** The last comparison; null before the first. */
export async function findLastComparison(ctx: Ctx): Promise<Comparison | null> {
  const [last] = await ctx.sql<Comparison>(selectLast);
  return last ?? null;
}
