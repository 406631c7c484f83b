import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { parseInput } from '../../core/input.ts';
import type { Plan } from '../../core/actor.ts';
import { findBillingAccount, requirePaid } from '../billing-accounts.ts';
import { changeSubscriptionInput } from '../billing.input.ts';
import { refuseSame } from './change-subscription.ts';
import { isUpgrade } from './effective-plan.ts';
import type { BillingInterval, PaidPlan } from '../payments.ports.ts';
import { listPlans } from '../plans.ts';
import { withinBudget } from '../processor/time-budget.ts';

/** Preview of the effects of `changeSubscription`. */
export interface SubscriptionChangePreview {
  plan: PaidPlan;
  currentPlan: Plan;
  /** Interval after the change. */
  interval: BillingInterval;
  /** Amount charged immediately, in minor units; 0 for a downgrade. */
  prorationAmount: number;
  prorationCurrency: string;
  /** Amount of each period from the next one on, in minor units; null when the processor lists no price. */
  nextAmount: number | null;
  nextPaymentAt: Date;
  /** When a downgrade takes effect; null for an upgrade. */
  effectiveAt: Date | null;
  /** Whether the change withdraws a cancellation. */
  resumes: boolean;
}

/**
 * Returns what a change of plan would charge, without changing anything. The amount applies to this moment: a later
 * change charges less.
 * @throws AppError `invalid_request`, `no_active_subscription`, `unavailable`
 */
export async function previewSubscriptionChange(ctx: Ctx, input: unknown): Promise<SubscriptionChangePreview> {
  const { plan, interval: wanted } = parseInput(changeSubscriptionInput, input);
  const account = requirePaid(await findBillingAccount(ctx, callerId(ctx)));
  const { subscriptionId, currentPeriodEnd, plan: currentPlan } = account;
  const interval = wanted ?? account.interval;
  refuseSame({ plan, interval }, account);
  return withinBudget(async () => {
    const upgrades = isUpgrade({ plan, interval }, account);
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
      nextPaymentAt: upgrades && interval !== account.interval ? addYear(ctx.clock.now()) : currentPeriodEnd,
      effectiveAt: upgrades ? null : currentPeriodEnd,
      resumes: upgrades && account.cancelAt !== null,
    };
  });
}

/** A change to a yearly interval starts a year now. */
function addYear(now: Date): Date {
  const then = new Date(now);
  then.setUTCFullYear(now.getUTCFullYear() + 1);
  return then;
}
