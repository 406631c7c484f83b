import { callerId } from '../../accounts/caller.ts';
import { lockPlan } from '../../accounts/plan.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { findBillingAccount, lockBillingAccount } from '../billing-accounts.ts';
import { BillingIntent } from './billing-intent.entity.ts';
import { checkoutInput } from '../billing.input.ts';
import { withCustomer } from '../processor/customers.ts';
import { dropIntent, findIntent, type Intent, lockIntent, putIntent, runIntent } from './intents.ts';
import type { CheckoutSession } from '../payments.ports.ts';
import { syncAccount } from '../processor/sync-account.ts';
import { withinBudget } from '../processor/time-budget.ts';

/**
 * Opens a payment page for a plan. A user has one at a time: the previous one is closed first, so that both cannot be
 * paid.
 * @throws AppError `invalid_request`, `subscription_exists`, `conflict`, `unavailable`
 */
export async function createCheckout(ctx: Ctx, input: unknown): Promise<CheckoutSession> {
  const order = parseInput(checkoutInput, input);
  const userId = callerId(ctx);
  return withinBudget(async () => {
    await closeLastSession(ctx, userId);
    await dropIncomplete(ctx, userId);
    const intent = await recordOrder(ctx, userId, JSON.stringify(order));
    const { idempotencyKey } = intent;
    const session = await runIntent(ctx, userId, intent, () =>
      withCustomer(ctx, userId, (customerId) =>
        ctx.ports.payments.startCheckout({ userId, customerId, ...order, idempotencyKey }),
      ),
    );
    if (await recordSession(ctx, userId, intent, session.id)) return session;
    await ctx.ports.payments.endCheckout(session.id);
    throw new AppError('conflict', { message: 'Another checkout was started at the same time. Use that one.' });
  });
}

async function closeLastSession(ctx: Ctx, userId: string): Promise<void> {
  const last = await findIntent(ctx, userId, 'checkout');
  if (!last?.sessionId) return;
  const outcome = await ctx.ports.payments.endCheckout(last.sessionId);
  // It was paid, but its event has not arrived yet. After the sync the next step sees the subscription.
  if (outcome === 'paid') await syncAccount(ctx, userId);
  await dropIntent(ctx, userId, last);
}

/** Ends a subscription that was never paid, in favour of the new order. If it has been paid meanwhile, it stays. */
async function dropIncomplete(ctx: Ctx, userId: string): Promise<void> {
  const account = await findBillingAccount(ctx, userId);
  if (account?.status !== 'incomplete' || account.subscriptionId === null) return;
  await ctx.ports.payments.endIncomplete(account.subscriptionId, `incomplete-${account.subscriptionId}`);
  await syncAccount(ctx, userId);
}

const unknownSubscription =
  'Your account has a subscription at the payment processor that is of none of our plans. Contact support before you pay for another one.';

const recordOrder = (ctx: Ctx, userId: string, request: string): Promise<Intent> =>
  inTransaction(ctx, async (tx) => {
    await lockPlan(tx, userId);
    const account = await lockBillingAccount(tx, userId);
    if (account?.subscriptionId)
      throw new AppError('subscription_exists', account.plan ? {} : { message: unknownSubscription });
    const unanswered = await lockIntent(tx, userId, 'checkout');
    if (unanswered?.request === request && unanswered.sessionId === null) return unanswered;
    if (unanswered?.sessionId)
      throw new AppError('conflict', { message: 'Another checkout was started at the same time. Use that one.' });
    return putIntent(tx, userId, 'checkout', request);
  });

/** Records the session of an order. Returns false when another order has replaced it in the meantime. */
async function recordSession(
  ctx: Ctx,
  userId: string,
  { idempotencyKey }: Intent,
  sessionId: string,
): Promise<boolean> {
  const own = { userId, slot: 'checkout', idempotencyKey } as const;
  return (await ctx.em.nativeUpdate(BillingIntent, own, { sessionId })) > 0;
}
