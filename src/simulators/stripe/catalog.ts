/** The simulator's monthly prices, in cents. A year costs ten months. */
const monthly: Record<string, number> = { plus: 1_200, pro: 3_000, creator: 5_000 };

export interface CatalogPrice {
  id: string;
  plan: string;
  interval: 'month' | 'year';
  amount: number;
}

export const currency = 'usd';

export const catalog: readonly CatalogPrice[] = Object.entries(monthly).flatMap(([plan, amount]): CatalogPrice[] => [
  { id: `price_${plan}_month`, plan, interval: 'month', amount },
  { id: `price_${plan}_year`, plan, interval: 'year', amount: amount * 10 },
]);

/** The prices in the format of STRIPE_PRICES. */
export const simulatedPrices = {
  plus: { month: 'price_plus_month', year: 'price_plus_year' },
  pro: { month: 'price_pro_month', year: 'price_pro_year' },
  creator: { month: 'price_creator_month', year: 'price_creator_year' },
} as const;

export const findPrice = (id: string): CatalogPrice | undefined => catalog.find((price) => price.id === id);

export function getPrice(id: string): CatalogPrice {
  const price = findPrice(id);
  if (!price) throw new Error(`there is no price ${id}`);
  return price;
}
