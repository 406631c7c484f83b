import { exampleValues } from '../../core/example-values.ts';
import type { EventEntries } from '../../core/outbox.ts';
import type { Subscription } from './subscriptions.ts';

/** The subscription in event data. `sequence` increases by one with each event of the account. */
export interface SubscriptionEventData extends Subscription {
  sequence: number;
}

interface SubscriptionEvents {
  'subscription.created': SubscriptionEventData;
  'subscription.updated': SubscriptionEventData;
  'subscription.cancelled': SubscriptionEventData;
}

declare module '../../core/outbox.ts' {
  interface EventData extends SubscriptionEvents {}
}

export type SubscriptionEventType = keyof SubscriptionEvents;

const { subscriptionId, at, later } = exampleValues;
const periodEnd = new Date('2026-02-15T09:30:00.000Z');
const example: SubscriptionEventData = {
  id: subscriptionId,
  plan: 'plus',
  status: 'active',
  interval: 'month',
  currentPeriodStart: at,
  currentPeriodEnd: periodEnd,
  cancelAt: null,
  canceledAt: null,
  createdAt: at,
  processorCustomerId: 'cus_example',
  pendingPlan: null,
  pendingInterval: null,
  sequence: 1,
};

export const subscriptionEvents: EventEntries<SubscriptionEvents> = {
  'subscription.created': {
    description: 'A paid subscription started. `data` is the subscription.',
    data: [{ resource: 'AccountSubscription' }],
    example,
  },
  'subscription.updated': {
    description: 'The plan, period or status of the subscription changed, including a return to the free plan.',
    data: [{ resource: 'AccountSubscription' }],
    example: { ...example, plan: 'pro', sequence: 2 },
  },
  'subscription.cancelled': {
    description: 'A cancellation was accepted. The subscription stays active until `cancel_at`.',
    data: [{ resource: 'AccountSubscription' }],
    example: { ...example, cancelAt: periodEnd, canceledAt: later, sequence: 3 },
  },
};

/**
 * Returns the event for the difference between two states of an account's subscription, or null if there is none to
 * report. A cancellation is reported once, when it is accepted; the return to the free plan is an update.
 */
export function eventOfChange(before: Subscription, after: Subscription): SubscriptionEventType | null {
  if (before.plan === 'free' && after.plan !== 'free') return 'subscription.created';
  if (after.plan === 'free') return before.plan === 'free' ? null : 'subscription.updated';
  if (!before.cancelAt && after.cancelAt) return 'subscription.cancelled';
  return shown(before) === shown(after) ? null : 'subscription.updated';
}

const shown = ({ processorCustomerId: _, ...rest }: Subscription): string => JSON.stringify(rest);
