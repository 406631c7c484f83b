import { callerId } from '../../accounts/caller.ts';
import { lockPlan } from '../../accounts/plan.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { lockPaidAccount, type PaidAccount } from '../billing-accounts.ts';
import { dropIntent, lockIntent, type Intent, putIntent, runIntent } from './intents.ts';
import { getSubscription, type Subscription } from './subscriptions.ts';
import { syncAccount } from '../processor/sync-account.ts';
import { withinBudget } from '../processor/time-budget.ts';

/**
 * Cancels the subscription at the end of its period; a no-op when it is cancelled already.
 * @throws AppError `no_active_subscription`, `unavailable`
 */
export const cancelSubscription = (ctx: Ctx): Promise<Subscription> =>
  ask(ctx, 'cancel', ({ cancelAt }) => cancelAt !== null, cancelAtProcessor);

/**
 * Resumes the subscription: reverts a cancellation and a scheduled downgrade. A no-op if there is neither.
 * @throws AppError `no_active_subscription`, `unavailable`
 */
export const resumeSubscription = (ctx: Ctx): Promise<Subscription> =>
  ask(
    ctx,
    'resume',
    ({ cancelAt, pendingPlan }) => cancelAt === null && pendingPlan === null,
    (inner, { subscriptionId }, key) => inner.ports.payments.resume(subscriptionId, key),
  );

const cancelAtProcessor = (ctx: Ctx, { subscriptionId }: PaidAccount, key: string): Promise<void> =>
  ctx.ports.payments.cancel(subscriptionId, key);

/** Stops the renewal for a user whose account is scheduled for deletion. */
export async function cancelForLeaver(ctx: Ctx, userId: string, account: PaidAccount): Promise<void> {
  await cancelAtProcessor(ctx, account, `leaver-${userId}-${account.currentPeriodEnd.toISOString()}`);
  await syncAccount(ctx, userId);
}

type Call = (ctx: Ctx, account: PaidAccount, idempotencyKey: string) => Promise<void>;

const ask = (
  ctx: Ctx,
  verb: 'cancel' | 'resume',
  isDone: (account: PaidAccount) => boolean,
  call: Call,
): Promise<Subscription> => {
  const userId = callerId(ctx);
  return withinBudget(async () => {
    const { account, intent } = await note(ctx, userId, verb, isDone);
    if (intent) {
      await runIntent(ctx, userId, intent, () => call(ctx, account, intent.idempotencyKey));
      await syncAccount(ctx, userId);
      await dropIntent(ctx, userId, intent);
    }
    return getSubscription(ctx);
  });
};

const note = (
  ctx: Ctx,
  userId: string,
  verb: string,
  isDone: (account: PaidAccount) => boolean,
): Promise<{ account: PaidAccount; intent: Intent | null }> =>
  inTransaction(ctx, async (tx) => {
    await lockPlan(tx, userId);
    const account = await lockPaidAccount(tx, userId);
    const request = `${verb} ${account.subscriptionId}`;
    const begun = await lockIntent(tx, userId, 'subscription');
    if (begun?.request === request) return { account, intent: begun };
    if (isDone(account)) return { account, intent: null };
    return { account, intent: await putIntent(tx, userId, 'subscription', request) };
  });
