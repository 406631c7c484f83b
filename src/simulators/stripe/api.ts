import { catalog, findPrice, unlisted } from './catalog.ts';
import { changePriceNow, end, prorationLines, voidInvoice } from './engine.ts';
import { emit } from './events.ts';
import { type Form, formAt, invalid, missing, required, textAt, valuesAt } from './http.ts';
import {
  checkoutWire,
  customerWire,
  invoiceWire,
  listOf,
  portalWire,
  previewWire,
  priceWire,
  scheduleWire,
  subscriptionWire,
  type Wire,
} from './objects.ts';
import { type CustomerState, hasEnded, newCustomer, newObjectId, type Schedule, type Subscription } from './state.ts';

/** A call for one customer. */
export interface CustomerCall {
  state: CustomerState;
  /** Id in the path. */
  id: string;
  form: Form;
  now: number;
}

const checkoutLifeSeconds = 86_400;

/** Routes without a customer. */
export const publicRoutes: Record<string, (id: string, now: number) => Wire> = {
  'GET /v1/prices': () => listOf('/v1/prices', catalog.map(priceWire)),
  'GET /v1/prices/:id': (id) => {
    const price = findPrice(id);
    if (!price) throw missing(id);
    return priceWire(price);
  },
  'GET /v1/test_helpers/test_clocks/:id': (id, now) => ({
    id,
    object: 'test_helpers.test_clock',
    frozen_time: now,
    status: 'ready',
    livemode: false,
  }),
};

/** POST routes that change nothing. GET routes never do. */
export const readingPosts: ReadonlySet<string> = new Set(['POST /v1/invoices/create_preview']);

/** Routes for one customer. GET routes change nothing. */
export const customerRoutes: Record<string, (call: CustomerCall) => Wire> = {
  'GET /v1/customers/:id': ({ state, form }) => customerWire(state, valuesAt(form, 'expand')),
  'POST /v1/customers/:id': ({ state, form, now }) => {
    state.email = textAt(form, 'email') ?? state.email;
    emit(state, 'customer.updated', state, now);
    return customerWire(state);
  },
  'DELETE /v1/customers/:id': ({ state, now }) => {
    deleteCustomer(state, now);
    return customerWire(state);
  },
  'POST /v1/checkout/sessions': ({ state, form, now }) => {
    const priceId = required(form, 'line_items', '0', 'price');
    if (required(form, 'mode') !== 'subscription') throw invalid('Only mode=subscription is spoken here.', 'mode');
    if (!findPrice(priceId)) throw missing(priceId);
    const checkout = {
      id: newObjectId(state, 'cs_test'),
      priceId,
      successUrl: required(form, 'success_url'),
      cancelUrl: required(form, 'cancel_url'),
      reference: textAt(form, 'client_reference_id') ?? null,
      created: now,
      expiresAt: now + checkoutLifeSeconds,
      status: 'open' as const,
      subscriptionId: null,
    };
    state.checkouts.push(checkout);
    return checkoutWire(state, checkout);
  },
  'GET /v1/checkout/sessions/:id': ({ state, id }) => checkoutWire(state, getById(state.checkouts, id)),
  'POST /v1/checkout/sessions/:id/expire': ({ state, id, now }) => {
    const checkout = getById(state.checkouts, id);
    if (checkout.status !== 'open') throw invalid(`This Session is ${checkout.status}.`);
    checkout.status = 'expired';
    emit(state, 'checkout.session.expired', checkout, now);
    return checkoutWire(state, checkout);
  },
  'GET /v1/subscriptions': ({ state, form }) => {
    const expand = valuesAt(form, 'expand').map((path) => path.replace(/^data\./, ''));
    const all = textAt(form, 'status') === 'all';
    const shown = state.subscriptions.filter((subscription) => all || !hasEnded(subscription)).toReversed();
    return listOf(
      '/v1/subscriptions',
      shown.map((subscription) => subscriptionWire(state, subscription, expand)),
    );
  },
  'GET /v1/subscriptions/:id': ({ state, id, form }) =>
    subscriptionWire(state, getById(state.subscriptions, id), valuesAt(form, 'expand')),
  'POST /v1/subscriptions/:id': (call) => {
    const subscription = runningById(call.state, call.id);
    updateSubscription(call, subscription);
    return subscriptionWire(call.state, subscription, valuesAt(call.form, 'expand'));
  },
  'POST /v1/subscription_schedules': ({ state, form, now }) => {
    const subscription = runningById(state, required(form, 'from_subscription'));
    if (subscription.scheduleId) throw invalid('The subscription is attached to a schedule already.');
    const schedule: Schedule = {
      id: newObjectId(state, 'sub_sched'),
      subscriptionId: subscription.id,
      status: 'active',
      created: now,
      phases: [{ priceId: subscription.priceId, start: subscription.periodStart, end: subscription.periodEnd }],
    };
    state.schedules.push(schedule);
    subscription.scheduleId = schedule.id;
    emit(state, 'subscription_schedule.created', schedule, now);
    return scheduleWire(state, schedule);
  },
  'POST /v1/subscription_schedules/:id': ({ state, id, form, now }) => {
    const schedule = activeSchedule(state, id);
    const phases = Object.values((formAt(form, 'phases') ?? {}) as Form) as Form[];
    schedule.phases = phases.map((phase) => {
      const priceId = planPrice(phase) ?? required(phase, 'items', '0', 'price');
      if (!findPrice(priceId)) throw missing(priceId);
      const start = Number(required(phase, 'start_date'));
      return { priceId, start, end: Number(textAt(phase, 'end_date') ?? start) };
    });
    emit(state, 'subscription_schedule.updated', schedule, now);
    return scheduleWire(state, schedule);
  },
  'POST /v1/subscription_schedules/:id/release': ({ state, id, now }) =>
    scheduleWire(state, releaseSchedule(state, id, now)),
  'GET /v1/invoices': ({ state, form }) => {
    const newest = state.invoices.toReversed();
    const from = newest.findIndex(({ id }) => id === textAt(form, 'starting_after')) + 1;
    const limit = Number(textAt(form, 'limit') ?? 10);
    const page = newest.slice(from, from + limit).map((invoice) => invoiceWire(state, invoice));
    return listOf('/v1/invoices', page, newest.length > from + limit);
  },
  'POST /v1/invoices/:id/void': ({ state, id, now }) => {
    const invoice = getById(state.invoices, id);
    voidInvoice(state, invoice, now);
    return invoiceWire(state, invoice);
  },
  'POST /v1/invoices/create_preview': ({ state, form, now }) => {
    const subscription = runningById(state, required(form, 'subscription'));
    const priceId = required(form, 'subscription_details', 'items', '0', 'price');
    if (!findPrice(priceId)) throw missing(priceId);
    return previewWire(state, prorationLines(subscription, priceId, now));
  },
  'POST /v1/billing_portal/sessions': ({ state, form, now }) => {
    const portal = { id: newObjectId(state, 'bps'), created: now, returnUrl: textAt(form, 'return_url') ?? null };
    state.portals.push(portal);
    return portalWire(state, portal);
  },
};

/** Ends the subscriptions of a customer and removes what is personal. */
export function deleteCustomer(state: CustomerState, now: number): void {
  for (const subscription of state.subscriptions) if (!hasEnded(subscription)) end(state, subscription, now);
  Object.assign(state, {
    ...newCustomer('', '', {}, state.created),
    id: state.id,
    deleted: true,
    subscriptions: state.subscriptions,
    invoices: state.invoices,
    unsent: state.unsent,
    counter: state.counter,
  });
  emit(state, 'customer.deleted', state, now);
}

/** Returns the price of the plan among the items of a form. */
function planPrice(form: Form): string | undefined {
  const items = Object.values((formAt(form, 'items') ?? {}) as Form) as Form[];
  const prices = items.flatMap((item) => textAt(item, 'price') ?? []);
  return prices.find((price) => price !== unlisted.extra.id);
}

/** Releases a schedule. The subscription does not change. */
export function releaseSchedule(state: CustomerState, id: string, now: number): Schedule {
  const schedule = activeSchedule(state, id);
  schedule.status = 'released';
  for (const subscription of state.subscriptions) if (subscription.scheduleId === id) subscription.scheduleId = null;
  emit(state, 'subscription_schedule.released', schedule, now);
  return schedule;
}

function updateSubscription({ state, form, now }: CustomerCall, subscription: Subscription): void {
  const cancels = textAt(form, 'cancel_at_period_end');
  const priceId = planPrice(form);
  if (subscription.scheduleId && cancels !== undefined)
    throw invalid('The subscription is managed by a schedule, and updating its cancellation directly is not allowed.');
  if (cancels !== undefined && (cancels === 'true') !== subscription.cancelAtPeriodEnd) {
    setCancellation(state, subscription, cancels === 'true', now);
  }
  if (priceId !== undefined && priceId !== subscription.priceId) {
    if (!findPrice(priceId)) throw missing(priceId);
    changePriceNow(state, subscription, priceId, now);
  }
}

/** Sets or revokes the cancellation at the end of the period, and emits the event of the subscription. */
export function setCancellation(state: CustomerState, subscription: Subscription, cancels: boolean, now: number): void {
  subscription.cancelAtPeriodEnd = cancels;
  subscription.canceledAt = cancels ? now : null;
  emit(state, 'customer.subscription.updated', subscription, now);
}

function getById<T extends { id: string }>(things: readonly T[], id: string): T {
  const thing = things.find((candidate) => candidate.id === id);
  if (!thing) throw missing(id);
  return thing;
}

function runningById(state: CustomerState, id: string): Subscription {
  const subscription = getById(state.subscriptions, id);
  if (hasEnded(subscription)) throw missing(id);
  return subscription;
}

function activeSchedule(state: CustomerState, id: string): Schedule {
  const schedule = getById(state.schedules, id);
  if (schedule.status !== 'active') throw invalid('The schedule is not active any more.');
  return schedule;
}
