import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import type { Plan } from '../../core/actor.ts';
import { findBillingAccount, isPaidAccount } from '../billing-accounts.ts';
import { changeSubscriptionInput } from '../billing.input.ts';
import { isMoreExpensive } from './effective-plan.ts';
import type { BillingInterval, PaidPlan } from '../payments.ports.ts';
import { listPlans } from '../plans.ts';
import { withinBudget } from '../processor/time-budget.ts';

/** Preview of the effects of `changeSubscription`. */
export interface SubscriptionChangePreview {
  plan: PaidPlan;
  currentPlan: Plan;
  interval: BillingInterval;
  /** Amount charged immediately, in minor units; 0 for a downgrade. */
  prorationAmount: number;
  prorationCurrency: string;
  /** Amount of each period from the next one on, in minor units; null when the processor lists no price. */
  nextAmount: number | null;
  nextPaymentAt: Date;
  /** When a downgrade takes effect; null for an upgrade. */
  effectiveAt: Date | null;
}

/**
 * Returns what a change of plan would charge, without changing anything. The amount applies to this moment: a later
 * change charges less.
 * @throws AppError `invalid_request`, `no_active_subscription`, `unavailable`
 */
export async function previewSubscriptionChange(ctx: Ctx, input: unknown): Promise<SubscriptionChangePreview> {
  const { plan } = parseInput(changeSubscriptionInput, input);
  const account = await findBillingAccount(ctx, callerId(ctx));
  if (!isPaidAccount(account)) throw new AppError('no_active_subscription');
  const { subscriptionId, interval, currentPeriodEnd, plan: currentPlan } = account;
  if (plan === currentPlan) {
    throw invalidField('plan', 'same_plan', `The subscription already has the plan ${plan}.`);
  }
  return withinBudget(async () => {
    const upgrades = isMoreExpensive(plan, currentPlan);
    const offered = (await listPlans(ctx)).find((candidate) => candidate.plan === plan);
    const price = offered?.prices.find((candidate) => candidate.interval === interval);
    const proration = upgrades
      ? await ctx.ports.payments.previewUpgrade({ subscriptionId, plan, interval })
      : { amount: 0, currency: price?.currency ?? '' };
    return {
      plan,
      currentPlan,
      interval,
      prorationAmount: proration.amount,
      prorationCurrency: proration.currency,
      nextAmount: price?.amount ?? null,
      nextPaymentAt: currentPeriodEnd,
      effectiveAt: upgrades ? null : currentPeriodEnd,
    };
  });
}
