import type { Logger } from 'pino';
import type { PriceTable } from '../../billing/price-table.ts';
import { StartError } from '../../core/process/start-error.ts';
import { stripeClient, type StripeClientOptions } from './client.ts';
import { isMissing, isRefusedKey, reasonOf } from './errors.ts';

/**
 * Checks that every configured price exists in Stripe. If Stripe is unavailable, logs the reason and lets the start
 * continue.
 * @throws StartError naming each price that is missing, inactive or of another interval, or when Stripe rejects the key
 */
export async function checkPrices(options: StripeClientOptions, prices: PriceTable, log: Logger): Promise<void> {
  const stripe = await stripeClient(options)();
  const faults: string[] = [];
  const check = async (plan: keyof PriceTable, interval: 'month' | 'year') => {
    const id = prices[plan][interval];
    try {
      const price = await stripe.prices.retrieve(id);
      if (!price.active) faults.push(`${plan}.${interval}: ${id} is no longer active`);
      if (price.recurring?.interval !== interval || price.recurring.interval_count !== 1)
        faults.push(`${plan}.${interval}: ${id} is not billed once a ${interval}`);
    } catch (error) {
      if (!isMissing(error)) throw error;
      faults.push(`${plan}.${interval}: Stripe has no price ${id}`);
    }
  };
  try {
    await Promise.all(
      (['plus', 'pro', 'creator'] as const).flatMap((plan) => [check(plan, 'month'), check(plan, 'year')]),
    );
  } catch (error) {
    if (isRefusedKey(error)) throw new StartError(`Stripe refuses STRIPE_SECRET_KEY: ${reasonOf(error)}`);
    log.warn({ reason: reasonOf(error) }, 'could not check STRIPE_PRICES, because Stripe failed');
    return;
  }
  if (faults.length > 0)
    throw new StartError(`STRIPE_PRICES does not match Stripe:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}
