import { callerId } from '../../accounts/caller.ts';
import { lockPlan } from '../../accounts/plan.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { lockPaidAccount, type PaidAccount } from '../billing-accounts.ts';
import { changeSubscriptionInput } from '../billing.input.ts';
import { isMoreExpensive } from './effective-plan.ts';
import { dropIntent, lockIntent, type Intent, putIntent, runIntent } from './intents.ts';
import type { BillingInterval, PaidPlan, SubscriptionStatus } from '../payments.ports.ts';
import { getSubscription } from './subscriptions.ts';
import { syncAccount } from '../processor/sync-account.ts';
import { withinBudget } from '../processor/time-budget.ts';

export interface SubscriptionChange {
  id: string;
  plan: PaidPlan;
  previousPlan: Plan;
  status: SubscriptionStatus;
  interval: BillingInterval;
  /** Amount in minor units. */
  prorationAmount: number;
  prorationCurrency: string;
  currentPeriodEnd: Date;
  /** When a downgrade takes effect; null for an upgrade. */
  effectiveAt: Date | null;
  updatedAt: Date;
}

/**
 * Changes the plan: an upgrade takes effect immediately and is charged by the second for the rest of the period; a
 * downgrade takes effect when the period ends.
 * @throws AppError `invalid_request`, `no_active_subscription`, `conflict` (declined card, or a downgrade of a
 * cancelled subscription), `unavailable`
 */
export async function changeSubscription(ctx: Ctx, input: unknown): Promise<SubscriptionChange> {
  const { plan } = parseInput(changeSubscriptionInput, input);
  const userId = callerId(ctx);
  return withinBudget(async () => {
    const { account, intent } = await noteChange(ctx, userId, plan);
    const previousPlan = intent.previousPlan ?? account.plan;
    const upgrades = isMoreExpensive(plan, previousPlan);
    const { subscriptionId, interval } = account;
    const change = { subscriptionId, plan, interval, idempotencyKey: intent.idempotencyKey };
    const { payments } = ctx.ports;
    const proration = await runIntent(ctx, userId, intent, async () =>
      upgrades ? payments.upgrade(change) : { amount: 0, ...(await payments.scheduleDowngrade(change)) },
    );
    await syncAccount(ctx, userId);
    await dropIntent(ctx, userId, intent);
    const { id, status, currentPeriodEnd } = await getSubscription(ctx);
    return {
      id,
      plan,
      previousPlan,
      status,
      interval,
      prorationAmount: proration.amount,
      prorationCurrency: proration.currency,
      currentPeriodEnd,
      effectiveAt: upgrades ? null : currentPeriodEnd,
      updatedAt: ctx.clock.now(),
    };
  });
}

/**
 * Records the change. If the same change was started before and its response was lost, returns that intent, so that it
 * is repeated.
 */
const noteChange = (ctx: Ctx, userId: string, plan: PaidPlan): Promise<{ account: PaidAccount; intent: Intent }> =>
  inTransaction(ctx, async (tx) => {
    await lockPlan(tx, userId);
    const account = await lockPaidAccount(tx, userId);
    const request = `${account.subscriptionId} to ${plan}`;
    const begun = await lockIntent(tx, userId, 'subscription');
    if (begun?.request === request) return { account, intent: begun };
    if (plan === account.plan) {
      throw invalidField('plan', 'same_plan', `The subscription already has the plan ${plan}.`);
    }
    if (!isMoreExpensive(plan, account.plan) && account.cancelAt) {
      const message =
        'The subscription is cancelled at the end of its period. Resume it before choosing a smaller plan.';
      throw new AppError('conflict', { message });
    }
    return { account, intent: await putIntent(tx, userId, 'subscription', request, account.plan) };
  });
