import type Stripe from 'stripe';
import type { BillingInterval, PaidPlan } from '../../billing/payments.ports.ts';
import { StartError } from '../../core/process/start-error.ts';
import { apiVersion, stripeClient } from './client.ts';

/** Price of a month in US cents. A year costs ten months. */
const monthlyCents: Record<PaidPlan, number> = { plus: 1_200, pro: 3_000, creator: 5_000 };
const monthsPaidAYear = 10;

/** Event types that can change a subscription or an invoice; the endpoint receives no others. */
const eventTypes: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = [
  'checkout.session.completed',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'subscription_schedule.updated',
  'subscription_schedule.released',
  'subscription_schedule.canceled',
  'test_helpers.test_clock.ready',
];

/**
 * Creates the objects that the service needs in a Stripe account: products, prices, the portal's configuration and the
 * webhook endpoint. Idempotent: existing objects are kept. Returns the settings for the environment.
 * @throws StartError when a required variable is missing or Stripe rejects a request
 */
export async function setUpStripe(env: Record<string, string | undefined>): Promise<string> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase, PUBLIC_URL: publicUrl } = env;
  if (!secretKey) throw new StartError('STRIPE_SECRET_KEY: is required to set up an account at Stripe.');
  if (!publicUrl) throw new StartError('PUBLIC_URL: is required, so that Stripe knows where to send its events.');
  const stripe = await stripeClient({ secretKey, apiBase: apiBase ?? null, timeoutMs: 20_000 })();
  try {
    return await makeAll(stripe, publicUrl);
  } catch (error) {
    throw new StartError(`Stripe could not be set up: ${(error as Error).message}`, { cause: error });
  }
}

async function makeAll(stripe: Stripe, publicUrl: string): Promise<string> {
  const prices: Record<string, Record<string, string>> = {};
  for (const plan of ['plus', 'pro', 'creator'] as const) {
    const product = await ensureProduct(stripe, plan);
    prices[plan] = {
      month: await ensurePrice(stripe, product, plan, 'month', monthlyCents[plan]),
      year: await ensurePrice(stripe, product, plan, 'year', monthlyCents[plan] * monthsPaidAYear),
    };
  }
  await ensurePortal(stripe, publicUrl);
  const secret = await ensureEndpoint(stripe, `${publicUrl.replace(/\/+$/, '')}/processor/events`);
  return [
    `STRIPE_PRICES='${JSON.stringify(prices)}'`,
    secret === null
      ? '# STRIPE_WEBHOOK_SECRET: the endpoint was there before. Stripe shows its secret only in the Dashboard.'
      : `STRIPE_WEBHOOK_SECRET=${secret}`,
    '',
  ].join('\n');
}

async function ensureProduct(stripe: Stripe, plan: PaidPlan): Promise<string> {
  const id = `agent_chat_${plan}`;
  const { data } = await stripe.products.list({ ids: [id], limit: 1 });
  if (data[0]) return data[0].id;
  const name = `Agent Chat ${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}`;
  const product = await stripe.products.create({ id, name }, { idempotencyKey: `setup-${id}` });
  return product.id;
}

async function ensurePrice(
  stripe: Stripe,
  product: string,
  plan: PaidPlan,
  interval: BillingInterval,
  amount: number,
): Promise<string> {
  const key = `${plan}_${interval}`;
  const { data } = await stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 });
  if (data[0]) return data[0].id;
  const price = await stripe.prices.create(
    { product, currency: 'usd', unit_amount: amount, recurring: { interval }, lookup_key: key },
    { idempotencyKey: `setup-price-${key}-${amount}` },
  );
  return price.id;
}

/**
 * Creates the account's default portal configuration: cards, invoices, details and cancellation at the end of the
 * period.
 */
async function ensurePortal(stripe: Stripe, returnUrl: string): Promise<void> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, is_default: true, limit: 1 });
  if (data[0]) return;
  await stripe.billingPortal.configurations.create(
    {
      default_return_url: returnUrl,
      business_profile: { headline: 'Agent Chat' },
      features: {
        customer_update: { enabled: true, allowed_updates: ['email', 'address', 'name', 'tax_id'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
      },
    },
    { idempotencyKey: `setup-portal-${returnUrl}` },
  );
}

/** Creates the webhook endpoint and returns its secret; null when the address already has an endpoint. */
async function ensureEndpoint(stripe: Stripe, url: string): Promise<string | null> {
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  if (data.some((endpoint) => endpoint.url === url && endpoint.status === 'enabled')) return null;
  const endpoint = await stripe.webhookEndpoints.create({ url, enabled_events: eventTypes, api_version: apiVersion });
  return endpoint.secret ?? null;
}
