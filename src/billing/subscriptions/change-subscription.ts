import { callerId } from '../../accounts/caller.ts';
import { lockPlan } from '../../accounts/plan.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { lockPaidAccount, type PaidAccount } from '../billing-accounts.ts';
import { changeSubscriptionInput } from '../billing.input.ts';
import { isUpgrade, type Offer } from './effective-plan.ts';
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
  /** Whether the change withdrew a cancellation. */
  resumed: boolean;
  updatedAt: Date;
}

/**
 * Changes the plan, the interval, or both. What makes neither smaller takes effect immediately, is charged by the second
 * for the rest of the period, and withdraws a cancellation; any other change takes effect when the period ends.
 * @throws AppError `invalid_request`, `no_active_subscription`, `conflict` (declined card, or a downgrade of a
 * cancelled subscription), `unavailable`
 */
export async function changeSubscription(ctx: Ctx, input: unknown): Promise<SubscriptionChange> {
  const { plan, interval: wanted } = parseInput(changeSubscriptionInput, input);
  const userId = callerId(ctx);
  return withinBudget(async () => {
    const { account, intent } = await noteChange(ctx, userId, plan, wanted);
    const { to, from, isResuming } = JSON.parse(intent.request) as ChangeRequest;
    const { interval } = to;
    const upgrades = isUpgrade(to, from);
    const { subscriptionId } = account;
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
      previousPlan: from.plan,
      status,
      interval,
      prorationAmount: proration.amount,
      prorationCurrency: proration.currency,
      currentPeriodEnd,
      effectiveAt: upgrades ? null : currentPeriodEnd,
      resumed: upgrades && isResuming,
      updatedAt: ctx.clock.now(),
    };
  });
}

/** The request of an intent: the offers before and after, and whether the subscription was cancelled. */
interface ChangeRequest {
  subscriptionId: string;
  to: { plan: PaidPlan; interval: BillingInterval };
  from: { plan: PaidPlan; interval: BillingInterval };
  isResuming: boolean;
}

/**
 * Records the change. If the same change was started before and its response was lost, returns that intent, so that it
 * is repeated.
 */
const noteChange = (
  ctx: Ctx,
  userId: string,
  plan: PaidPlan,
  wanted: BillingInterval | undefined,
): Promise<{ account: PaidAccount; intent: Intent }> =>
  inTransaction(ctx, async (tx) => {
    await lockPlan(tx, userId);
    const account = await lockPaidAccount(tx, userId);
    const { subscriptionId, cancelAt } = account;
    const from = { plan: account.plan, interval: account.interval };
    const to = { plan, interval: wanted ?? account.interval };
    const begun = await lockIntent(tx, userId, 'subscription');
    if (begun && isSameChange(begun, subscriptionId, to)) return { account, intent: begun };
    refuseSame(to, from);
    if (!isUpgrade(to, from) && cancelAt) {
      const message =
        'The subscription is cancelled at the end of its period. Resume it before choosing a smaller plan or a shorter interval.';
      throw new AppError('conflict', { message });
    }
    const request: ChangeRequest = { subscriptionId, to, from, isResuming: cancelAt !== null };
    return { account, intent: await putIntent(tx, userId, 'subscription', JSON.stringify(request)) };
  });

function isSameChange({ request }: Intent, subscriptionId: string, to: Offer): boolean {
  if (!request.startsWith('{')) return false;
  const begun = JSON.parse(request) as ChangeRequest;
  return begun.subscriptionId === subscriptionId && begun.to.plan === to.plan && begun.to.interval === to.interval;
}

/** @throws AppError `invalid_request` when the subscription has this plan and interval already */
export function refuseSame(to: Offer, from: Offer): void {
  if (to.plan !== from.plan || to.interval !== from.interval) return;
  throw invalidField('plan', 'same_plan', `The subscription already has the plan ${to.plan} by the ${to.interval}.`);
}
