import { z } from 'zod';

const perInterval = z.object({ month: z.string().min(1), year: z.string().min(1) });
const table = z.object({ plus: perInterval, pro: perInterval, creator: perInterval });

/** Price ids of the payment processor by plan and interval. */
export type PriceTable = Readonly<z.output<typeof table>>;

/** Parses STRIPE_PRICES; undefined when it is not set. @throws Error that lists every missing price */
export function parsePrices(text: string | undefined): PriceTable | undefined {
  if (text === undefined) return undefined;
  const parsed = table.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const missing = parsed.error.issues.map(({ path }) => path.join('.')).filter(Boolean);
  throw new Error(
    `must be JSON such as {"plus":{"month":"price_…","year":"price_…"},"pro":{…},"creator":{…}}${missing.length > 0 ? `; missing: ${missing.join(', ')}` : ''}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
