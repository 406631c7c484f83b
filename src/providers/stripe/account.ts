import type Stripe from 'stripe';
import type {
  ProcessorAccount,
  ProcessorInvoice,
  ProcessorSubscription,
  SubscriptionStatus,
} from '../../billing/payments.ports.ts';
import type { PriceTable } from '../../billing/price-table.ts';
import { offerOf } from './prices.ts';

/** Reads a customer's subscriptions and newest hundred invoices. Returns none for a deleted customer. */
export async function readAccount(
  stripe: Stripe,
  prices: PriceTable,
  customerId: string,
  now: Date,
): Promise<ProcessorAccount> {
  const [subscriptions, invoices] = await Promise.all([
    stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100, expand: ['data.schedule'] }),
    stripe.invoices.list({ customer: customerId, limit: 100 }),
  ]);
  const asOf = await timeOf(stripe, subscriptions.data, now);
  return {
    subscriptions: subscriptions.data.flatMap((subscription) => toSubscription(subscription, prices, asOf)),
    invoices: invoices.data.flatMap((invoice) => toInvoice(invoice, prices)),
    asOf,
  };
}

/** Returns the customer's time at Stripe: real time, unless a test clock is attached. */
async function timeOf(stripe: Stripe, subscriptions: Stripe.Subscription[], now: Date): Promise<Date> {
  const clock = subscriptions.find(({ test_clock }) => test_clock !== null)?.test_clock;
  if (!clock) return now;
  const { frozen_time } = await stripe.testHelpers.testClocks.retrieve(idOf(clock));
  return fromUnix(frozen_time);
}

function toSubscription(subscription: Stripe.Subscription, prices: PriceTable, asOf: Date): ProcessorSubscription[] {
  const item = subscription.items.data[0];
  const offer = item && offerOf(prices, item.price);
  if (!item || !offer) return [];
  const currentPeriodEnd = fromUnix(item.current_period_end);
  const cancelAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item.current_period_end : null);
  return [
    {
      id: subscription.id,
      ...offer,
      status: statuses[subscription.status as string] ?? 'unpaid',
      currentPeriodStart: fromUnix(item.current_period_start),
      currentPeriodEnd,
      cancelAt: fromUnixOrNull(cancelAt),
      canceledAt: cancelAt === null ? null : fromUnixOrNull(subscription.canceled_at),
      createdAt: fromUnix(subscription.created),
      pending: pendingChange(subscription.schedule, offer.plan, prices, asOf),
    },
  ];
}

const statuses: Record<string, SubscriptionStatus | undefined> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'unpaid',
  incomplete: 'incomplete',
  incomplete_expired: 'canceled',
  canceled: 'canceled',
};

function pendingChange(
  schedule: Stripe.Subscription['schedule'],
  running: string,
  prices: PriceTable,
  asOf: Date,
): ProcessorSubscription['pending'] {
  if (schedule === null || typeof schedule === 'string' || schedule.status !== 'active') return null;
  const next = schedule.phases.find(({ start_date }) => fromUnix(start_date) > asOf);
  const price = next?.items[0]?.price;
  const offer = price === undefined ? null : offerOf(prices, price as string | Stripe.Price);
  return next && offer && offer.plan !== running ? { plan: offer.plan, at: fromUnix(next.start_date) } : null;
}

/**
 * Converts an invoice. Returns an empty list unless the invoice is final, so that it has a number, and is for one of
 * our plans.
 */
function toInvoice(invoice: Stripe.Invoice, prices: PriceTable): ProcessorInvoice[] {
  const subscription = invoice.parent?.subscription_details?.subscription;
  const line = planLine(invoice, prices);
  if (!invoice.number || !invoice.status || !subscription || !line) return [];
  return [
    {
      id: invoice.id,
      subscriptionId: idOf(subscription),
      number: withYear(invoice.number, invoice.created),
      amount: invoice.total,
      currency: invoice.currency,
      status: invoice.status as ProcessorInvoice['status'],
      plan: line.offer.plan,
      interval: line.offer.interval,
      periodStart: fromUnix(line.period.start),
      periodEnd: fromUnix(line.period.end),
      paidAt: fromUnixOrNull(invoice.status_transitions.paid_at),
      pdfUrl: invoice.invoice_pdf ?? null,
      createdAt: fromUnix(invoice.created),
    },
  ];
}

/** Returns the line of the purchased plan. For an upgrade this is the new plan, not the credit for the old one. */
function planLine({ lines }: Stripe.Invoice, prices: PriceTable) {
  const known = lines.data.flatMap(({ amount, period, pricing }) => {
    const price = pricing?.price_details?.price;
    const offer = price === undefined ? null : offerOf(prices, price);
    return offer ? [{ amount, period, offer }] : [];
  });
  return known.toSorted((a, b) => b.amount - a.amount)[0];
}

/** Adds the year to an invoice number that lacks it: `ABCD-0007` of 2026 becomes `ABCD-2026-0007`. */
export function withYear(number: string, createdSeconds: number): string {
  if (/-\d{4}-\d+$/.test(number)) return number;
  const year = fromUnix(createdSeconds).getUTCFullYear();
  const [, prefix, sequence] = /^(.*)-(\d+)$/.exec(number) ?? [];
  return prefix && sequence ? `${prefix}-${year}-${sequence}` : `INV-${year}-${number}`;
}

/** Returns the id of a referenced object, which Stripe expands on request. */
export const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id;

export const fromUnix = (seconds: number): Date => new Date(seconds * 1_000);

const fromUnixOrNull = (seconds: number | null): Date | null => (seconds === null ? null : fromUnix(seconds));
