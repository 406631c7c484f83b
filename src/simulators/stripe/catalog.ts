/** The simulator's monthly prices, in cents. A year costs ten months. */
const monthly: Record<string, number> = { plus: 1_200, pro: 3_000, creator: 5_000 };

export interface CatalogPrice {
  id: string;
  /** Last part of the product's id. */
  plan: string;
  interval: 'month' | 'year';
  amount: number;
}

export const currency = 'usd';

export const catalog: readonly CatalogPrice[] = Object.entries(monthly).flatMap(([plan, amount]): CatalogPrice[] => [
  { id: `price_${plan}_month`, plan, interval: 'month', amount },
  { id: `price_${plan}_year`, plan, interval: 'year', amount: amount * 10 },
]);

/**
 * Prices that are not for sale: an older one of a plan, which lost its lookup key to the present one, one that was made
 * by hand for a product of its own, and an extra that some subscriptions have beside their plan.
 */
export const unlisted = {
  older: { id: 'price_plus_month_older_1', plan: 'plus', interval: 'month', amount: 900 },
  ownProduct: { id: 'price_special_month_1', plan: 'special', interval: 'month', amount: 2_000 },
  extra: { id: 'price_extra_month_1', plan: 'extra', interval: 'month', amount: 500 },
} as const satisfies Record<string, CatalogPrice>;

/** The prices in the format of STRIPE_PRICES. */
export const simulatedPrices = {
  plus: { month: 'price_plus_month', year: 'price_plus_year' },
  pro: { month: 'price_pro_month', year: 'price_pro_year' },
  creator: { month: 'price_creator_month', year: 'price_creator_year' },
} as const;

export const findPrice = (id: string): CatalogPrice | undefined =>
  [...catalog, ...Object.values(unlisted)].find((price) => price.id === id);

export function getPrice(id: string): CatalogPrice {
  const price = findPrice(id);
  if (!price) throw new Error(`there is no price ${id}`);
  return price;
}
