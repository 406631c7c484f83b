import type { Plan } from '../../core/actor.ts';
import type { BillingInterval, ProcessorAccount, ProcessorSubscription } from '../payments.ports.ts';

const graceMs = 7 * 86_400_000;

const ranks: Record<Plan, number> = { free: 0, plus: 1, pro: 2, creator: 3 };

/** A plan with its billing interval. */
export interface Offer {
  plan: Plan;
  interval: BillingInterval;
}

const months: Record<BillingInterval, number> = { month: 1, year: 12 };

/**
 * Returns whether a change takes effect immediately: neither plan nor interval becomes smaller. Any other change takes
 * effect when the period that has been paid for ends.
 */
export const isUpgrade = (to: Offer, from: Offer): boolean =>
  ranks[to.plan] >= ranks[from.plan] && months[to.interval] >= months[from.interval];

const precedence: Record<ProcessorSubscription['status'], number> = {
  active: 4,
  past_due: 3,
  unpaid: 2,
  incomplete: 1,
  canceled: 0,
};

/**
 * Returns the subscription that counts: among the running ones, the one with the best status, then the most expensive,
 * then the newest.
 */
export function runningSubscription({ subscriptions }: ProcessorAccount): ProcessorSubscription | null {
  const running = subscriptions.filter(({ status }) => status !== 'canceled');
  const order = (a: ProcessorSubscription, b: ProcessorSubscription): number =>
    precedence[b.status] - precedence[a.status] ||
    ranks[b.plan ?? 'free'] - ranks[a.plan ?? 'free'] ||
    b.createdAt.getTime() - a.createdAt.getTime();
  return running.toSorted(order)[0] ?? null;
}

/** Returns when the subscription became overdue: the time of its oldest unpaid invoice. Null when it is not overdue. */
export function overdueSince(
  account: ProcessorAccount,
  { id, status, currentPeriodStart }: ProcessorSubscription,
): Date | null {
  if (status !== 'past_due') return null;
  const times = account.invoices
    .filter((invoice) => invoice.subscriptionId === id && invoice.status === 'open')
    .map((invoice) => invoice.createdAt.getTime());
  return times.length > 0 ? new Date(Math.min(...times)) : currentPeriodStart;
}

/** Returns when an overdue subscription loses its plan. */
export const graceEnd = (pastDueSince: Date): Date => new Date(pastDueSince.getTime() + graceMs);

/** Returns the plan whose limits apply at `now`. An overdue subscription keeps its plan for seven days. */
export function effectivePlan(subscription: ProcessorSubscription | null, pastDueSince: Date | null, now: Date): Plan {
  const isInGrace = subscription?.status === 'past_due' && pastDueSince !== null && now < graceEnd(pastDueSince);
  return subscription?.status === 'active' || isInGrace ? (subscription.plan ?? 'free') : 'free';
}
