import type { Subscription } from './subscriptions.ts';

/** The Subscription; `sequence` grows by one with each event of the account. */
export interface SubscriptionEventData extends Subscription {
  sequence: number;
}

declare module '../core/outbox.ts' {
  interface EventData {
    'subscription.created': SubscriptionEventData;
    'subscription.updated': SubscriptionEventData;
    'subscription.cancelled': SubscriptionEventData;
  }
}

export type SubscriptionEventType = 'subscription.created' | 'subscription.updated' | 'subscription.cancelled';

/**
 * The event that tells the difference between two states of an account's subscription, or null when there is none to
 * tell. A cancellation is told once, when it is accepted; the return to the free plan is an update.
 */
export function eventOfChange(before: Subscription, after: Subscription): SubscriptionEventType | null {
  if (before.plan === 'free' && after.plan !== 'free') return 'subscription.created';
  if (after.plan === 'free') return before.plan === 'free' ? null : 'subscription.updated';
  if (!before.cancelAt && after.cancelAt) return 'subscription.cancelled';
  return shown(before) === shown(after) ? null : 'subscription.updated';
}

const shown = ({ processorCustomerId: _, ...rest }: Subscription): string => JSON.stringify(rest);
