import type { Plan, SubscriptionQuery } from '../api/generated/operations.ts';
import { day } from '../parts/values/money.ts';
import { planName } from './plan-names.ts';
import { texts } from './texts.ts';

type Subscription = SubscriptionQuery['subscription'];

const freeLimits = texts.limitsFreePlanApply;

const owed: Partial<Record<Subscription['status'], string>> = {
  UNPAID: texts.lastPaymentFailedGood(freeLimits),
  INCOMPLETE: texts.firstPaymentMissingLimits(freeLimits),
};

/** Whether a payment is overdue, so that changing the card would help. */
export const isOwed = ({ status }: Subscription): boolean => status === 'PAST_DUE' || status in owed;

/** Describes what happens to the plan next. `limits` is the plan whose limits apply now. */
export function planOutlook(subscription: Subscription, limits: Plan | undefined): string {
  const { plan, status, cancelAt, pendingPlan, currentPeriodEnd } = subscription;
  if (plan === 'FREE') return texts.freeCharge;
  if (status === 'PAST_DUE' && limits === 'FREE') return texts.lastPaymentDueOver(freeLimits);
  if (status === 'PAST_DUE') return texts.lastPaymentFailedPlan;
  if (owed[status]) return owed[status];
  if (cancelAt) return texts.cancelledPlanStaysUntil(day(cancelAt));
  if (pendingPlan) return texts.followsOn(planName(pendingPlan), day(currentPeriodEnd));
  if (subscription.pendingInterval === 'MONTH') return texts.monthlyFrom(day(currentPeriodEnd));
  return texts.nextPayment(day(currentPeriodEnd));
}
