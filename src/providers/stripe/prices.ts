import type Stripe from 'stripe';
import type { BillingInterval, PaidPlan } from '../../billing/payments.ports.ts';
import type { PriceTable } from '../../core/price-table.ts';

interface Offer {
  plan: PaidPlan;
  interval: BillingInterval;
}

/** What a price is for, or null when it is none of ours. A price that is sold no more is known by its lookup key. */
export function offerOf(prices: PriceTable, price: string | Pick<Stripe.Price, 'id' | 'lookup_key'>): Offer | null {
  const id = typeof price === 'string' ? price : price.id;
  for (const plan of ['plus', 'pro', 'creator'] as const)
    for (const interval of ['month', 'year'] as const) if (prices[plan][interval] === id) return { plan, interval };
  const [, plan, interval] =
    (typeof price !== 'string' && /^(plus|pro|creator)_(month|year)$/.exec(price.lookup_key ?? '')) || [];
  return plan && interval ? { plan: plan as PaidPlan, interval: interval as BillingInterval } : null;
}
