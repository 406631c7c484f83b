import { catalog, currency, findPrice, getPrice, type CatalogPrice } from './catalog.ts';
import {
  type Checkout,
  type CustomerState,
  type Invoice,
  type InvoiceLine,
  type Portal,
  type Schedule,
  type Subscription,
  totalOf,
} from './state.ts';

/** Objects of a customer in the format of Stripe's API, with the fields that the service reads. */
export type Wire = Record<string, unknown>;

/** Every customer uses this clock, like a Stripe test clock. */
const testClockId = 'clock_simulated';

export const listOf = (url: string, data: Wire[], hasMore = false): Wire => ({
  object: 'list',
  data,
  has_more: hasMore,
  url,
});

export const customerWire = (state: CustomerState, expand: readonly string[] = []): Wire =>
  state.deleted
    ? { id: state.id, object: 'customer', deleted: true }
    : {
        id: state.id,
        object: 'customer',
        email: state.email,
        metadata: state.metadata,
        created: state.created,
        invoice_settings: {
          default_payment_method: cardWire(state, expand.includes('invoice_settings.default_payment_method')),
        },
        livemode: false,
        test_clock: testClockId,
      };

/** Returns the card of a customer as a payment method, or its id unless it is expanded. */
function cardWire({ id, card }: CustomerState, isExpanded: boolean): Wire | string | null {
  if (!card) return null;
  const methodId = `pm_${id.slice('cus_'.length)}_1`;
  if (!isExpanded) return methodId;
  return {
    id: methodId,
    object: 'payment_method',
    customer: id,
    type: 'card',
    card: { brand: 'visa', last4: card.last4, exp_month: 12, exp_year: 2034, country: 'US', funding: 'credit' },
    livemode: false,
  };
}

/** Returns a preview of an invoice. */
export function previewWire(state: CustomerState, lines: readonly InvoiceLine[]): Wire {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return {
    id: 'upcoming_in_preview',
    object: 'invoice',
    customer: state.id,
    billing_reason: 'subscription_update',
    status: 'draft',
    currency,
    total,
    subtotal: total,
    amount_due: Math.max(total, 0),
    lines: listOf(
      '/v1/invoices/create_preview/lines',
      lines.map(({ amount, description }) => ({ object: 'line_item', amount, currency, description })),
    ),
    livemode: false,
    test_clock: testClockId,
  };
}

export const priceWire = ({ id, plan, interval, amount }: CatalogPrice): Wire => ({
  id,
  object: 'price',
  active: true,
  currency,
  unit_amount: amount,
  product: `prod_${plan}`,
  lookup_key: catalog.some((price) => price.id === id) ? `${plan}_${interval}` : null,
  type: 'recurring',
  recurring: { interval, interval_count: 1, usage_type: 'licensed' },
  livemode: false,
  metadata: {},
});

export function subscriptionWire(state: CustomerState, s: Subscription, expand: readonly string[] = []): Wire {
  const schedule = state.schedules.find(({ id }) => id === s.scheduleId);
  const invoice = state.invoices.find(({ id }) => id === s.latestInvoiceId);
  return {
    id: s.id,
    object: 'subscription',
    customer: state.id,
    status: s.status,
    currency,
    created: s.created,
    start_date: s.created,
    billing_cycle_anchor: s.anchor,
    cancel_at: s.cancelAtPeriodEnd ? s.periodEnd : null,
    cancel_at_period_end: s.cancelAtPeriodEnd,
    canceled_at: s.canceledAt,
    ended_at: s.endedAt,
    items: listOf(
      `/v1/subscription_items?subscription=${s.id}`,
      [
        ...(s.extraPriceId ? [{ id: `${s.itemId}0`, priceId: s.extraPriceId }] : []),
        { id: s.itemId, priceId: s.priceId },
      ].map(({ id, priceId }) => ({
        id,
        object: 'subscription_item',
        subscription: s.id,
        quantity: 1,
        price: priceWire(getPrice(priceId)),
        current_period_start: s.periodStart,
        current_period_end: s.periodEnd,
      })),
    ),
    latest_invoice: invoice && expand.includes('latest_invoice') ? invoiceWire(state, invoice) : s.latestInvoiceId,
    default_payment_method: cardWire(state, expand.includes('default_payment_method')),
    schedule: schedule && expand.includes('schedule') ? scheduleWire(state, schedule) : s.scheduleId,
    livemode: false,
    metadata: {},
    test_clock: testClockId,
  };
}

export const scheduleWire = (state: CustomerState, s: Schedule): Wire => ({
  id: s.id,
  object: 'subscription_schedule',
  customer: state.id,
  status: s.status,
  created: s.created,
  end_behavior: 'release',
  subscription: s.status === 'active' ? s.subscriptionId : null,
  released_subscription: s.status === 'released' ? s.subscriptionId : null,
  phases: s.phases.map(({ priceId, start, end }) => ({
    start_date: start,
    end_date: end,
    items: [{ price: priceId, quantity: 1 }],
  })),
  livemode: false,
  test_clock: testClockId,
});

/** Placeholder for the URL of the pages, which `toJson` inserts when a response is sent. */
const pages = 'pages:';

/** Serializes a response with complete URLs of pages. */
export const toJson = (body: unknown, pagesUrl: string): string =>
  JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(`${pages}/`) ? pagesUrl + value.slice(pages.length) : value,
  );

export function invoiceWire(state: CustomerState, i: Invoice): Wire {
  const total = totalOf(i);
  return {
    id: i.id,
    object: 'invoice',
    number: i.number,
    customer: state.id,
    customer_email: state.email,
    billing_reason: i.reason,
    status: i.status,
    currency,
    total,
    subtotal: total,
    amount_due: total,
    amount_paid: i.status === 'paid' ? total : 0,
    amount_remaining: i.status === 'paid' ? 0 : total,
    attempt_count: i.attempts,
    attempted: true,
    created: i.created,
    period_start: i.created,
    period_end: i.created,
    next_payment_attempt: i.nextAttempt,
    invoice_pdf: `${pages}/invoices/${i.id}/pdf`,
    hosted_invoice_url: `${pages}/invoices/${i.id}`,
    status_transitions: { finalized_at: i.created, paid_at: i.paidAt, voided_at: null, marked_uncollectible_at: null },
    parent: { type: 'subscription_details', subscription_details: { subscription: i.subscriptionId, metadata: {} } },
    lines: listOf(
      `/v1/invoices/${i.id}/lines`,
      i.lines.map((line, n) => ({
        id: `il_${i.id.slice('in_'.length)}_${n}`,
        object: 'line_item',
        amount: line.amount,
        currency,
        description: line.description,
        period: { start: line.start, end: line.end },
        pricing: {
          type: 'price_details',
          price_details: { price: line.priceId, product: `prod_${findPrice(line.priceId)?.plan}` },
        },
        parent: {
          type: 'subscription_item_details',
          subscription_item_details: { proration: line.proration, subscription: i.subscriptionId },
        },
      })),
    ),
    livemode: false,
    test_clock: testClockId,
  };
}

export const checkoutWire = (state: CustomerState, c: Checkout): Wire => ({
  id: c.id,
  object: 'checkout.session',
  mode: 'subscription',
  customer: state.id,
  client_reference_id: c.reference,
  status: c.status,
  payment_status: c.status === 'complete' ? 'paid' : 'unpaid',
  subscription: c.subscriptionId,
  success_url: c.successUrl,
  cancel_url: c.cancelUrl,
  created: c.created,
  expires_at: c.expiresAt,
  url: c.status === 'open' ? `${pages}/checkout/${c.id}` : null,
  livemode: false,
});

export const portalWire = (state: CustomerState, p: Portal): Wire => ({
  id: p.id,
  object: 'billing_portal.session',
  customer: state.id,
  created: p.created,
  return_url: p.returnUrl,
  url: `${pages}/portal/${p.id}`,
  livemode: false,
});
