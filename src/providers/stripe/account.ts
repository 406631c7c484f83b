import type Stripe from 'stripe';
import type {
  BillingInterval,
  PaidPlan,
  ProcessorAccount,
  ProcessorInvoice,
  ProcessorSubscription,
  SubscriptionStatus,
} from '../../billing/payments.ports.ts';
import { type createOffers, idOf, intervalOf, type OfferOf, planItem } from './prices.ts';

/** Reads a customer's subscriptions and newest hundred invoices. Returns none for a deleted customer. */
export async function readAccount(
  stripe: Stripe,
  readOffers: ReturnType<typeof createOffers>,
  customerId: string,
  now: Date,
): Promise<ProcessorAccount> {
  const [subscriptions, invoices] = await Promise.all([
    stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100, expand: ['data.schedule'] }),
    stripe.invoices.list({ customer: customerId, limit: 100 }),
  ]);
  const asOf = await timeOf(stripe, subscriptions.data, now);
  const offerOf = await readOffers(stripe, [
    ...subscriptions.data.flatMap(({ items }) => items.data.map(({ price }) => price.id)),
    ...invoices.data.flatMap(({ lines }) => lines.data.map((line) => priceOf(line).price)),
  ]);
  return {
    subscriptions: subscriptions.data.flatMap((subscription) => toSubscription(subscription, offerOf, asOf)),
    invoices: invoices.data.flatMap((invoice) => toInvoice(invoice, offerOf)),
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

function toSubscription(subscription: Stripe.Subscription, offerOf: OfferOf, asOf: Date): ProcessorSubscription[] {
  const item = planItem(subscription.items.data, offerOf);
  if (!item) return [];
  const offer = offerOf(item.price) ?? { plan: null, interval: intervalOf(item.price) };
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
      pending: pendingChange(subscription.schedule, offer, offerOf, asOf),
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
  running: { plan: PaidPlan | null; interval: BillingInterval },
  offerOf: OfferOf,
  asOf: Date,
): ProcessorSubscription['pending'] {
  if (schedule === null || typeof schedule === 'string' || schedule.status !== 'active') return null;
  const next = schedule.phases.find(({ start_date }) => fromUnix(start_date) > asOf);
  const [offer] = next?.items.flatMap(({ price }) => offerOf(price as string | Stripe.Price) ?? []) ?? [];
  const isSame = offer?.plan === running.plan && offer?.interval === running.interval;
  return next && offer && !isSame ? { ...offer, at: fromUnix(next.start_date) } : null;
}

/** Converts an invoice of a subscription. Returns an empty list unless the invoice is final, so that it has a number. */
function toInvoice(invoice: Stripe.Invoice, offerOf: OfferOf): ProcessorInvoice[] {
  const subscription = invoice.parent?.subscription_details?.subscription;
  const line = planLine(invoice, offerOf);
  if (!invoice.number || !invoice.status || !subscription || !line) return [];
  return [
    {
      id: invoice.id,
      subscriptionId: idOf(subscription),
      number: withYear(invoice.number, invoice.created),
      amount: invoice.total,
      currency: invoice.currency,
      status: invoice.status as ProcessorInvoice['status'],
      plan: line.plan,
      interval: line.interval,
      periodStart: fromUnix(line.period.start),
      periodEnd: fromUnix(line.period.end),
      paidAt: fromUnixOrNull(invoice.status_transitions.paid_at),
      pdfUrl: invoice.invoice_pdf ?? null,
      createdAt: fromUnix(invoice.created),
    },
  ];
}

const daysOfLongMonths = 45;

/**
 * Returns the line of the purchased plan, or the largest line if none is for one of our plans. For an upgrade this is
 * the new plan, not the credit for the old one.
 */
function planLine({ lines }: Stripe.Invoice, offerOf: OfferOf) {
  const read = lines.data.map((line) => {
    const { price, product } = priceOf(line);
    const { amount, period } = line;
    // A line names its price without its interval.
    const interval = period.end - period.start > daysOfLongMonths * 86_400 ? ('year' as const) : ('month' as const);
    return { amount, period, plan: offerOf(price, product)?.plan ?? null, interval };
  });
  const order = (a: (typeof read)[number], b: (typeof read)[number]): number =>
    Number(b.plan !== null) - Number(a.plan !== null) || b.amount - a.amount;
  return read.toSorted(order)[0];
}

function priceOf({ pricing }: Stripe.InvoiceLineItem): { price: string; product: string | null } {
  const { price, product } = pricing?.price_details ?? {};
  return { price: price === undefined ? '' : idOf(price), product: product ?? null };
}

/** Adds the year to an invoice number that lacks it: `ABCD-0007` of 2026 becomes `ABCD-2026-0007`. */
export function withYear(number: string, createdSeconds: number): string {
  if (/-\d{4}-\d+$/.test(number)) return number;
  const year = fromUnix(createdSeconds).getUTCFullYear();
  const [, prefix, sequence] = /^(.*)-(\d+)$/.exec(number) ?? [];
  return prefix && sequence ? `${prefix}-${year}-${sequence}` : `INV-${year}-${number}`;
}

export const fromUnix = (seconds: number): Date => new Date(seconds * 1_000);

const fromUnixOrNull = (seconds: number | null): Date | null => (seconds === null ? null : fromUnix(seconds));
