import { attempt, end, renew } from './engine.ts';
import { emit } from './events.ts';
import { type CustomerState, hasEnded } from './state.ts';

interface Due {
  at: number;
  run: (state: CustomerState) => void;
}

/** Returns the time of the customer's next scheduled change; Infinity when there is none. */
export const nextDue = (state: CustomerState): number => Math.min(Infinity, ...listDue(state).map(({ at }) => at));

/** Runs the earliest change that is due by `now`. Returns whether there was one. */
export function runNextDue(state: CustomerState, now: number): boolean {
  const first = listDue(state).toSorted((a, b) => a.at - b.at)[0];
  if (!first || first.at > now) return false;
  first.run(state);
  return true;
}

function listDue(state: CustomerState): Due[] {
  if (state.deleted) return [];
  const running = state.subscriptions.filter(
    (subscription) => !hasEnded(subscription) && subscription.status !== 'incomplete',
  );
  const periods = running.map((subscription): Due => ({
    at: subscription.periodEnd,
    run: () =>
      subscription.cancelAtPeriodEnd ? end(state, subscription, subscription.periodEnd) : renew(state, subscription),
  }));
  const retries = state.invoices.flatMap((invoice): Due[] => {
    const subscription = running.find(({ id }) => id === invoice.subscriptionId);
    const at = invoice.nextAttempt;
    if (at === null || !subscription) return [];
    return [{ at, run: () => attempt(state, subscription, invoice, at) }];
  });
  const expiries = state.checkouts
    .filter(({ status }) => status === 'open')
    .map((checkout): Due => ({
      at: checkout.expiresAt,
      run: () => {
        checkout.status = 'expired';
        emit(state, 'checkout.session.expired', checkout, checkout.expiresAt);
      },
    }));
  return [...periods, ...retries, ...expiries];
}
