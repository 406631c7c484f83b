import { addIntervals } from './calendar.ts';
import { getPrice } from './catalog.ts';
import { emit } from './events.ts';
import { HttpError, invalid } from './http.ts';
import {
  type Card,
  type Checkout,
  type CustomerState,
  type Invoice,
  type InvoiceLine,
  newObjectId,
  type Subscription,
  totalOf,
} from './state.ts';

/** Days after a failed payment on which it is retried. After the last one the subscription ends. */
const retryDays = [3, 5, 7, 14];
const daySeconds = 86_400;

/** Pays a checkout: stores the card, starts the subscription and pays its first invoice. */
export function payCheckout(state: CustomerState, checkout: Checkout, card: Card, now: number): Subscription {
  const price = getPrice(checkout.priceId);
  state.card = card;
  const subscription: Subscription = {
    id: newObjectId(state, 'sub'),
    itemId: newObjectId(state, 'si'),
    priceId: price.id,
    status: 'active',
    anchor: now,
    cycle: 0,
    periodStart: now,
    periodEnd: addIntervals(now, price.interval, 1),
    cancelAtPeriodEnd: false,
    canceledAt: null,
    endedAt: null,
    created: now,
    scheduleId: null,
    latestInvoiceId: null,
  };
  state.subscriptions.push(subscription);
  const invoice = addInvoice(state, subscription, 'subscription_create', [periodLine(subscription)], now);
  markPaid(invoice, now);
  checkout.status = 'complete';
  checkout.subscriptionId = subscription.id;
  emit(state, 'customer.subscription.created', subscription, now);
  emit(state, 'invoice.paid', invoice, now);
  emit(state, 'checkout.session.completed', checkout, now);
  return subscription;
}

/**
 * Returns the invoice lines of an immediate change of price: a credit for the unused time at the old price, and a
 * charge for the same time at the new one.
 */
export function prorationLines(subscription: Subscription, priceId: string, now: number): InvoiceLine[] {
  const { periodStart, periodEnd } = subscription;
  const part = (periodEnd - Math.min(Math.max(now, periodStart), periodEnd)) / (periodEnd - periodStart);
  const [from, to] = [getPrice(subscription.priceId), getPrice(priceId)];
  const span = { start: now, end: periodEnd, proration: true };
  // A price of another interval starts a new period, which is charged whole.
  const isOtherInterval = from.interval !== to.interval;
  const newEnd = isOtherInterval ? addIntervals(now, to.interval, 1) : periodEnd;
  const charged = Math.round(to.amount * (isOtherInterval ? 1 : part));
  return [
    {
      amount: -Math.round(from.amount * part),
      description: `Unused time on ${nameOf(from.plan)}`,
      priceId: from.id,
      ...span,
    },
    { ...span, amount: charged, description: `Remaining time on ${nameOf(to.plan)}`, priceId, end: newEnd },
  ];
}

/** Applies a new price immediately and charges the difference. */
export function changePriceNow(state: CustomerState, subscription: Subscription, priceId: string, now: number): void {
  const lines = prorationLines(subscription, priceId, now);
  const invoice = addInvoice(state, subscription, 'subscription_update', lines, now);
  if (totalOf(invoice) > 0 && state.card?.kind !== 'good') throw cardDeclined();
  markPaid(invoice, now);
  setPrice(subscription, priceId, now);
  emit(state, 'invoice.paid', invoice, now);
  emit(state, 'customer.subscription.updated', subscription, now);
}

/** Sets the price. One of another interval restarts the count of periods. */
function setPrice(subscription: Subscription, priceId: string, now: number): void {
  const { interval } = getPrice(priceId);
  if (interval !== getPrice(subscription.priceId).interval)
    Object.assign(subscription, {
      anchor: now,
      cycle: 0,
      periodStart: now,
      periodEnd: addIntervals(now, interval, 1),
    });
  subscription.priceId = priceId;
}

/** Starts and charges the next period, at the scheduled price. */
export function renew(state: CustomerState, subscription: Subscription): void {
  const now = subscription.periodEnd;
  const schedule = state.schedules.find(({ id, status }) => id === subscription.scheduleId && status === 'active');
  const next = schedule?.phases.find(({ start }) => start === now);
  if (schedule && next) {
    setPrice(subscription, next.priceId, now);
    subscription.scheduleId = null;
    schedule.status = 'released';
    emit(state, 'subscription_schedule.released', schedule, now);
  }
  if (subscription.anchor !== now) subscription.cycle += 1;
  subscription.periodStart = now;
  subscription.periodEnd = addIntervals(
    subscription.anchor,
    getPrice(subscription.priceId).interval,
    subscription.cycle + 1,
  );
  const invoice = addInvoice(state, subscription, 'subscription_cycle', [periodLine(subscription)], now);
  attempt(state, subscription, invoice, now);
  emit(state, 'customer.subscription.updated', subscription, now);
}

/** Attempts to collect an open invoice. The last failure ends the subscription. */
export function attempt(state: CustomerState, subscription: Subscription, invoice: Invoice, now: number): void {
  invoice.attempts += 1;
  if (state.card?.kind === 'good') {
    markPaid(invoice, now);
    const owes = state.invoices.some((i) => i.subscriptionId === subscription.id && i.status === 'open');
    if (!owes && subscription.status === 'past_due') {
      subscription.status = 'active';
      emit(state, 'customer.subscription.updated', subscription, now);
    }
    return emit(state, 'invoice.paid', invoice, now);
  }
  const days = retryDays[invoice.attempts - 1];
  invoice.nextAttempt = days === undefined ? null : invoice.created + days * daySeconds;
  subscription.status = 'past_due';
  emit(state, 'invoice.payment_failed', invoice, now);
  if (invoice.nextAttempt === null) end(state, subscription, now);
}

/** Starts a subscription whose first payment needs an action of the customer. */
export function beginIncomplete(state: CustomerState, priceId: string, now: number): void {
  const { interval } = getPrice(priceId);
  const subscription: Subscription = {
    id: newObjectId(state, 'sub'),
    itemId: newObjectId(state, 'si'),
    priceId,
    status: 'incomplete',
    anchor: now,
    cycle: 0,
    periodStart: now,
    periodEnd: addIntervals(now, interval, 1),
    cancelAtPeriodEnd: false,
    canceledAt: null,
    endedAt: null,
    created: now,
    scheduleId: null,
    latestInvoiceId: null,
  };
  state.subscriptions.push(subscription);
  addInvoice(state, subscription, 'subscription_create', [periodLine(subscription)], now);
  emit(state, 'customer.subscription.created', subscription, now);
}

/** Voids an open invoice. That of a first payment ends its subscription. */
export function voidInvoice(state: CustomerState, invoice: Invoice, now: number): void {
  if (invoice.status !== 'open')
    throw invalid(`You can only pass in open invoices. This invoice isn't open (${invoice.status}).`);
  Object.assign(invoice, { status: 'void', nextAttempt: null });
  emit(state, 'invoice.voided', invoice, now);
  const subscription = state.subscriptions.find(({ id }) => id === invoice.subscriptionId);
  if (subscription?.status !== 'incomplete') return;
  Object.assign(subscription, { status: 'incomplete_expired', endedAt: now });
  emit(state, 'customer.subscription.updated', subscription, now);
}

/** Ends a subscription and writes off its debt. */
export function end(state: CustomerState, subscription: Subscription, now: number): void {
  subscription.status = 'canceled';
  subscription.canceledAt ??= now;
  subscription.endedAt = now;
  for (const invoice of state.invoices) {
    if (invoice.subscriptionId !== subscription.id || invoice.status !== 'open') continue;
    invoice.status = 'uncollectible';
    invoice.nextAttempt = null;
    emit(state, 'invoice.marked_uncollectible', invoice, now);
  }
  emit(state, 'customer.subscription.deleted', subscription, now);
}

/** Stores a new card and pays open invoices immediately. */
export function replaceCard(state: CustomerState, card: Card, now: number): void {
  state.card = card;
  for (const invoice of state.invoices.filter(({ status }) => status === 'open')) {
    const subscription = state.subscriptions.find(({ id }) => id === invoice.subscriptionId);
    if (subscription && card.kind === 'good') attempt(state, subscription, invoice, now);
  }
  emit(state, 'customer.updated', state, now);
}

const cardDeclined = (): HttpError =>
  new HttpError(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });

const nameOf = (plan: string): string => plan.slice(0, 1).toUpperCase() + plan.slice(1);

function periodLine({ priceId, periodStart, periodEnd }: Subscription): InvoiceLine {
  const { amount, plan, interval } = getPrice(priceId);
  const description = `1 × ${nameOf(plan)} (at $${(amount / 100).toFixed(2)} / ${interval})`;
  return { amount, description, priceId, start: periodStart, end: periodEnd, proration: false };
}

function addInvoice(
  state: CustomerState,
  subscription: Subscription,
  reason: Invoice['reason'],
  lines: InvoiceLine[],
  now: number,
): Invoice {
  const prefix = state.id.slice('cus_'.length, 'cus_'.length + 8).toUpperCase();
  const sequence = String(state.invoices.length + 1).padStart(4, '0');
  const invoice: Invoice = {
    id: newObjectId(state, 'in'),
    number: `${prefix}-${new Date(now * 1_000).getUTCFullYear()}-${sequence}`,
    subscriptionId: subscription.id,
    reason,
    status: 'open',
    created: now,
    paidAt: null,
    attempts: 0,
    nextAttempt: null,
    lines,
  };
  state.invoices.push(invoice);
  subscription.latestInvoiceId = invoice.id;
  return invoice;
}

function markPaid(invoice: Invoice, now: number): void {
  invoice.status = 'paid';
  invoice.paidAt = now;
  invoice.nextAttempt = null;
  invoice.attempts = Math.max(1, invoice.attempts);
}
