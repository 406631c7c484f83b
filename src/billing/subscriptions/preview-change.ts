import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import type { Plan } from '../../core/actor.ts';
import { findBillingAccount, isPaidAccount } from '../billing-accounts.ts';
import { changeSubscriptionInput } from '../billing.input.ts';
import { isDearer } from './effective-plan.ts';
import type { BillingInterval, PaidPlan } from '../payments.ports.ts';
import { listPlans } from '../plans.ts';
import { withinBudget } from '../processor/time-budget.ts';

/** Returns what `changeSubscription` would do now. */
export interface SubscriptionChangePreview {
  plan: PaidPlan;
  currentPlan: Plan;
  interval: BillingInterval;
  /** Minor units, charged at once; 0 for a downgrade. */
  prorationAmount: number;
  prorationCurrency: string;
  /** Minor units a period from the next one on; null when the processor names no price. */
  nextAmount: number | null;
  nextPaymentAt: Date;
  /** When a downgrade takes effect; null for an upgrade. */
  effectiveAt: Date | null;
}

/**
 * Returns what a change of plan would charge, without a change. The amount is of this moment: a change later charges
 * less. @throws AppError `invalid_request`, `no_active_subscription`, `unavailable`
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
    const upgrades = isDearer(plan, currentPlan);
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
