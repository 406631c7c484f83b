import type { Logger } from 'pino';
import type { PriceTable } from '../../core/price-table.ts';
import { StartError } from '../../core/start-error.ts';
import { stripeClient, type StripeClientOptions } from './client.ts';
import { isMissing } from './errors.ts';

/**
 * Asks Stripe for every price that is configured. A Stripe that does not answer is no reason not to start.
 * @throws StartError naming each price that is missing, not for sale, or for another interval
 */
export async function checkPrices(options: StripeClientOptions, prices: PriceTable, log: Logger): Promise<void> {
  const stripe = await stripeClient(options)();
  const faults: string[] = [];
  const check = async (plan: keyof PriceTable, interval: 'month' | 'year') => {
    const id = prices[plan][interval];
    try {
      const price = await stripe.prices.retrieve(id);
      if (!price.active) faults.push(`${plan}.${interval}: ${id} is not for sale any more`);
      if (price.recurring?.interval !== interval || price.recurring.interval_count !== 1)
        faults.push(`${plan}.${interval}: ${id} is not paid once a ${interval}`);
    } catch (error) {
      if (isMissing(error)) faults.push(`${plan}.${interval}: Stripe has no price ${id}`);
      else throw error;
    }
  };
  try {
    await Promise.all(
      (['plus', 'pro', 'creator'] as const).flatMap((plan) => [check(plan, 'month'), check(plan, 'year')]),
    );
  } catch {
    log.warn('Stripe did not answer, so STRIPE_PRICES is not checked');
    return;
  }
  if (faults.length > 0)
    throw new StartError(
      `STRIPE_PRICES does not fit the account at Stripe:\n${faults.map((f) => `  ${f}`).join('\n')}`,
    );
}
