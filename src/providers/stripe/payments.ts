import type Stripe from 'stripe';
import type { Payments, ProcessorEvent } from '../../billing/payments.ports.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import type { PriceTable } from '../../billing/price-table.ts';
import { fromUnix, readAccount } from './account.ts';
import { changeAtPeriodEnd, changeNow, endIncomplete, previewChange, setCancellation } from './changes.ts';
import { stripeClient, type StripeClientOptions } from './client.ts';
import { isInvalidRequest, isMissing, isMissingCustomer, toAppError } from './errors.ts';
import { readPaymentMethod } from './payment-method.ts';
import { createOffers, idOf, readPrices } from './prices.ts';

interface StripeOptions extends StripeClientOptions {
  webhookSecret: string;
  prices: PriceTable;
  clock: Clock;
}

const eventAgeSeconds = 300;
// Lifetime of a portal URL. Stripe does not return it; its documentation says five minutes.
const portalLifeMs = 300_000;

/** Implements the payments port with Stripe's API. */
export function createStripePayments({ webhookSecret, prices, clock, ...options }: StripeOptions): Payments {
  const client = stripeClient(options);
  const readOffers = createOffers(prices);
  const isLive = /^[a-z]+_live_/.test(options.secretKey);
  const call = async <T>(work: (stripe: Stripe) => Promise<T>): Promise<T> => {
    try {
      return await work(await client());
    } catch (error) {
      throw toAppError(error);
    }
  };
  const change = ({ subscriptionId, plan, interval, idempotencyKey }: Parameters<Payments['upgrade']>[0]) => ({
    subscriptionId,
    priceId: prices[plan][interval],
    interval,
    idempotencyKey,
  });

  return {
    createCustomer: ({ userId, email, idempotencyKey }) =>
      call(async (stripe) => {
        const customer = await stripe.customers.create({ email, metadata: { user_id: userId } }, { idempotencyKey });
        return customer.id;
      }),
    setEmail: (customerId, email) =>
      call(async (stripe) => void (await stripe.customers.update(customerId, { email }).catch(nullWhenMissing))),
    deleteCustomer: (customerId) =>
      call(async (stripe) => void (await stripe.customers.del(customerId).catch(nullWhenMissing))),
    startCheckout: ({ userId, customerId, plan, interval, successUrl, cancelUrl, idempotencyKey }) =>
      call(async (stripe) => {
        const session = await stripe.checkout.sessions
          .create(
            {
              mode: 'subscription',
              customer: customerId,
              client_reference_id: userId,
              line_items: [{ price: prices[plan][interval], quantity: 1 }],
              success_url: successUrl,
              cancel_url: cancelUrl,
            },
            { idempotencyKey: `${idempotencyKey}-${customerId}` },
          )
          .catch(nullWithoutCustomer);
        if (session === null) return null;
        if (!session.url) throw new Error('payment processor: a checkout session without an address');
        return { id: session.id, url: session.url, expiresAt: fromUnix(session.expires_at) };
      }),
    endCheckout: (sessionId) => call((stripe) => endCheckout(stripe, sessionId)),
    getAccount: (customerId) =>
      call(async (stripe) => {
        const now = clock.now();
        const account = await readAccount(stripe, readOffers, customerId, now).catch(nullWhenMissing);
        return account ?? { subscriptions: [], invoices: [], asOf: now };
      }),
    listPrices: () => call((stripe) => readPrices(stripe, prices)),
    getPaymentMethod: (customerId) => call((stripe) => readPaymentMethod(stripe, customerId).catch(nullWhenMissing)),
    previewUpgrade: ({ subscriptionId, plan, interval }) =>
      call((stripe) => previewChange(stripe, readOffers, { subscriptionId, priceId: prices[plan][interval] })),
    upgrade: (wanted) => call((stripe) => changeNow(stripe, readOffers, change(wanted))),
    scheduleDowngrade: (wanted) => call((stripe) => changeAtPeriodEnd(stripe, readOffers, change(wanted))),
    cancel: (subscriptionId, key) => call((stripe) => setCancellation(stripe, subscriptionId, true, key)),
    endIncomplete: (subscriptionId, key) =>
      call(async (stripe) => void (await endIncomplete(stripe, subscriptionId, key).catch(nullWhenRefused))),
    resume: (subscriptionId, key) => call((stripe) => setCancellation(stripe, subscriptionId, false, key)),
    openPortal: (customer, returnUrl, idempotencyKey) =>
      call(async (stripe) => {
        const session = await stripe.billingPortal.sessions
          .create({ customer, return_url: returnUrl }, { idempotencyKey: `${idempotencyKey}-${customer}` })
          .catch(nullWithoutCustomer);
        return session && { url: session.url, expiresAt: new Date(session.created * 1_000 + portalLifeMs) };
      }),
    readEvent: async (rawBody, signature) => {
      const stripe = await client();
      const event = verified(stripe, rawBody, signature, webhookSecret, clock);
      if (event.livemode !== isLive) throw refused('The event belongs to the other mode (test or live).');
      return { id: event.id, type: event.type, createdAt: fromUnix(event.created), customerId: customerOf(event) };
    },
  };
}

function nullWhenMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

function nullWithoutCustomer(error: unknown): null {
  if (isMissingCustomer(error)) return null;
  throw error;
}

/** The invoice was paid or voided in the meantime. */
function nullWhenRefused(error: unknown): null {
  if (isMissing(error) || isInvalidRequest(error)) return null;
  throw error;
}

async function endCheckout(stripe: Stripe, sessionId: string): Promise<'expired' | 'paid'> {
  // A session can be gone with its customer.
  const session = await stripe.checkout.sessions.retrieve(sessionId).catch(nullWhenMissing);
  if (session?.status === 'complete') return 'paid';
  if (session?.status !== 'open') return 'expired';
  try {
    await stripe.checkout.sessions.expire(sessionId, {}, { idempotencyKey: `end-${sessionId}` });
    return 'expired';
  } catch (error) {
    // The session was paid or expired between the two calls.
    const { status } = await stripe.checkout.sessions.retrieve(sessionId);
    if (status === 'open') throw error;
    return status === 'complete' ? 'paid' : 'expired';
  }
}

const refused = (message: string): AppError => new AppError('invalid_request', { message });

function verified(stripe: Stripe, rawBody: Buffer, signature: string, secret: string, clock: Clock): Stripe.Event {
  const receivedAt = clock.now().getTime();
  try {
    return stripe.webhooks.constructEvent(rawBody, signature, secret, eventAgeSeconds, undefined, receivedAt);
  } catch {
    throw refused('The signature is invalid, or the event is too old.');
  }
}

/** Returns the customer of an event. The event's object is the customer or refers to it. */
function customerOf(event: Stripe.Event): ProcessorEvent['customerId'] {
  const object = event.data.object as { id?: unknown; object?: unknown; customer?: unknown };
  if (object.object === 'customer') return typeof object.id === 'string' ? object.id : null;
  if (typeof object.customer === 'string') return object.customer;
  return object.customer && typeof object.customer === 'object' ? idOf(object.customer as { id: string }) : null;
}
