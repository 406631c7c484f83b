import type Stripe from 'stripe';
import type { BillingInterval, PaidPlan, PlanPrice } from '../../billing/payments.ports.ts';
import type { PriceTable } from '../../billing/price-table.ts';

interface Offer {
  plan: PaidPlan;
  interval: BillingInterval;
}

/** Returns the plan and interval of a price, or null for a price that is not of one of our plans. */
export type OfferOf = (price: string | Stripe.Price, product?: string | null) => Offer | null;

const plans = ['plus', 'pro', 'creator'] as const;
const intervals = ['month', 'year'] as const;
const offers = plans.flatMap((plan) => intervals.map((interval) => ({ plan, interval })));

/**
 * Recognizes prices: a configured one by its id, any other by its product, so that subscribers keep their plan when a
 * price is replaced, archived, or loses its lookup key. The products are read once, when the first such price is seen.
 */
export function createOffers(prices: PriceTable): (stripe: Stripe, seen: readonly string[]) => Promise<OfferOf> {
  let products: Promise<ReadonlyMap<string, PaidPlan>> | undefined;
  const configured = (id: string): Offer | null =>
    offers.find(({ plan, interval }) => prices[plan][interval] === id) ?? null;
  return async (stripe, seen) => {
    const areAllKnown = seen.every((id) => configured(id) !== null);
    products ??= areAllKnown ? undefined : readProducts(stripe, prices);
    const planOf = await products?.catch((error: unknown) => {
      products = undefined;
      throw error;
    });
    return (price, product) => {
      if (typeof price === 'string') {
        const plan = planOf?.get(product ?? '');
        return configured(price) ?? (plan ? { plan, interval: 'month' } : null);
      }
      const plan = planOf?.get(idOf(price.product));
      return configured(price.id) ?? (plan ? { plan, interval: intervalOf(price) } : null);
    };
  };
}

async function readProducts(stripe: Stripe, prices: PriceTable): Promise<ReadonlyMap<string, PaidPlan>> {
  const read = offers.map(async ({ plan, interval }) => {
    const { product } = await stripe.prices.retrieve(prices[plan][interval]);
    return [idOf(product), plan] as const;
  });
  return new Map(await Promise.all(read));
}

/** Returns the interval of a price. The service knows two: what is billed less than once a year counts as monthly. */
export function intervalOf({ recurring }: Pick<Stripe.Price, 'recurring'>): BillingInterval {
  const isYearly =
    recurring?.interval === 'year' || (recurring?.interval === 'month' && recurring.interval_count >= 12);
  return isYearly ? 'year' : 'month';
}

/** Returns the id of a referenced object, which Stripe expands on request. */
export const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id;

/** Returns the item of a subscription that is for a plan, or the first one. A subscription may have other items. */
export const planItem = (
  items: readonly Stripe.SubscriptionItem[],
  offerOf: OfferOf,
): Stripe.SubscriptionItem | undefined => items.find(({ price }) => offerOf(price) !== null) ?? items[0];

/** Reads the amounts of the configured prices, cheapest plan first. Leaves out prices without a fixed amount. */
export async function readPrices(stripe: Stripe, prices: PriceTable): Promise<PlanPrice[]> {
  const read = await Promise.all(
    offers.map(async (offer) => {
      const { unit_amount: amount, currency } = await stripe.prices.retrieve(prices[offer.plan][offer.interval]);
      return { ...offer, amount, currency };
    }),
  );
  return read.flatMap(({ amount, ...price }) => (amount === null ? [] : [{ ...price, amount }]));
}
