import type Stripe from 'stripe';
import type { BillingInterval, PaidPlan, PlanPrice } from '../../billing/payments.ports.ts';
import type { PriceTable } from '../../billing/price-table.ts';

interface Offer {
  plan: PaidPlan;
  interval: BillingInterval;
}

/**
 * Returns the plan and interval of a price, or null for a price that is not ours. A price that is no longer sold is
 * recognized by its lookup key.
 */
export function offerOf(prices: PriceTable, price: string | Pick<Stripe.Price, 'id' | 'lookup_key'>): Offer | null {
  const id = typeof price === 'string' ? price : price.id;
  for (const plan of ['plus', 'pro', 'creator'] as const)
    for (const interval of ['month', 'year'] as const) if (prices[plan][interval] === id) return { plan, interval };
  const [, plan, interval] =
    (typeof price !== 'string' && /^(plus|pro|creator)_(month|year)$/.exec(price.lookup_key ?? '')) || [];
  return plan && interval ? { plan: plan as PaidPlan, interval: interval as BillingInterval } : null;
}

/** Reads the amounts of the configured prices, cheapest plan first. Leaves out prices without a fixed amount. */
export async function readPrices(stripe: Stripe, prices: PriceTable): Promise<PlanPrice[]> {
  const offers = (['plus', 'pro', 'creator'] as const).flatMap((plan) =>
    (['month', 'year'] as const).map((interval) => ({ plan, interval })),
  );
  const read = await Promise.all(
    offers.map(async (offer) => {
      const { unit_amount: amount, currency } = await stripe.prices.retrieve(prices[offer.plan][offer.interval]);
      return { ...offer, amount, currency };
    }),
  );
  return read.flatMap(({ amount, ...price }) => (amount === null ? [] : [{ ...price, amount }]));
}
