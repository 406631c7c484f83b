import { deleteCustomer, releaseSchedule, setCancellation } from './api.ts';
import { unlisted } from './catalog.ts';
import { cancelUrlOf, checkoutPage, successUrlOf } from './checkout-page.ts';
import { beginIncomplete, payCheckout, replaceCard } from './engine.ts';
import { type DeliveryMode, deliveryModes, emit } from './events.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { messagePage } from './page-layout.ts';
import { portalPage } from './portal-page.ts';
import type { Processor } from './processor.ts';
import { type Card, type CustomerState, customerIdOf, hasEnded } from './state.ts';
import type { Store } from './store.ts';

export interface PageRequest {
  method: 'GET' | 'POST';
  /** Path after the URL of the pages, such as `/checkout/cs_test_…`. */
  path: string;
  /** Fields of the posted form or JSON. */
  form: Record<string, unknown>;
}

export interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

const maxDays = 3_660;

/** Handles requests for the payment pages, and the posts that control the processor's clock and events. */
export async function answerPage(processor: Processor, store: Store, request: PageRequest): Promise<PageAnswer> {
  const { method, path, form } = request;
  const [, section = '', id = '', verb = ''] = path.split('/');
  if (method === 'POST' && path === '/advance') return advance(processor, form['days']);
  if (method === 'POST' && path === '/delivery') return setDelivery(processor, form['mode']);
  if (method === 'GET' && path === '/events') return json(200, { data: await processor.listUnsent() });
  const customerId = customerIdOf(id);
  const state = customerId && (await store.find(customerId));
  if (!state) return notFoundPage();
  if (method === 'GET' && verb === '' && section === 'checkout') return showCheckout(state, id);
  if (method === 'GET' && verb === '' && section === 'portal') return showPortal(state, id, await processor.now());
  if (method === 'GET' && verb === 'pdf' && section === 'invoices') return showInvoice(state, id);
  if (method !== 'POST') return notFoundPage();
  const page: Posted = { processor, store, state, id, form };
  if (section === 'customers') return actInDashboard(page, verb);
  if (section === 'checkout' && verb === '') return pay(page);
  if (section === 'checkout' && verb === 'cancel') return leaveCheckout(page);
  return section === 'portal' ? actInPortal(page, verb) : notFoundPage();
}

interface Posted {
  processor: Processor;
  store: Store;
  state: CustomerState;
  id: string;
  form: Record<string, unknown>;
}

async function advance(processor: Processor, given: unknown): Promise<PageAnswer> {
  const days = typeof given === 'string' && given !== '' ? Number(given) : given;
  if (typeof days !== 'number' || !(days > 0 && days <= maxDays))
    return refuse('days', `must be a number greater than 0, at most ${maxDays}`);
  await processor.advance(Math.round(days * 86_400));
  return json(200, { now: new Date((await processor.now()) * 1_000).toISOString() });
}

async function setDelivery(processor: Processor, mode: unknown): Promise<PageAnswer> {
  if (!deliveryModes.includes(mode as DeliveryMode))
    return refuse('mode', `must be one of ${deliveryModes.join(', ')}`);
  await processor.setDelivery(mode as DeliveryMode);
  return json(200, { mode });
}

function showCheckout(state: CustomerState, id: string): PageAnswer {
  const checkout = state.checkouts.find((candidate) => candidate.id === id);
  if (!checkout) return notFoundPage();
  if (checkout.status === 'complete')
    return html(200, messagePage('Paid', 'This payment is done.', { href: successUrlOf(checkout), text: 'Continue' }));
  if (checkout.status === 'expired') return expired();
  return html(200, checkoutPage(state, checkout, null));
}

async function pay({ processor, store, state, id, form }: Posted): Promise<PageAnswer> {
  const checkout = state.checkouts.find((candidate) => candidate.id === id);
  if (!checkout) return notFoundPage();
  if (checkout.status === 'expired') return expired();
  const card = cardOf(form['card']);
  if (card === null && checkout.status === 'open')
    return html(402, checkoutPage(state, checkout, 'Your card was declined. Try another one.'));
  const now = await processor.now();
  await change(store, state.id, (current) => {
    const open = current.checkouts.find((candidate) => candidate.id === id && candidate.status === 'open');
    if (open && card) payCheckout(current, open, card, now);
  });
  await processor.flush(state.id);
  return seeOther(successUrlOf(checkout));
}

/**
 * Returns the kind of card that a form names, by word or by the number of a Stripe test card; null for an invalid card.
 */
function cardOf(given: unknown): Card | null {
  const text = typeof given === 'string' ? given.replaceAll(/\s/g, '') : '';
  if (text === 'refused' || text === '4000000000000002') return null;
  return text === 'declined' || text === '4000000000000341'
    ? { last4: '0341', kind: 'declined' }
    : { last4: '4242', kind: 'good' };
}

const leaveCheckout = ({ state, id }: Posted): PageAnswer => {
  const checkout = state.checkouts.find((candidate) => candidate.id === id);
  return checkout ? seeOther(cancelUrlOf(checkout)) : notFoundPage();
};

function showPortal(state: CustomerState, id: string, now: number): PageAnswer {
  const portal = state.portals.find((candidate) => candidate.id === id);
  return portal ? html(200, portalPage(state, portal, now)) : notFoundPage();
}

async function actInPortal({ processor, store, state, id, form }: Posted, verb: string): Promise<PageAnswer> {
  if (!state.portals.some((portal) => portal.id === id) || !['cancel', 'resume', 'card'].includes(verb))
    return notFoundPage();
  const now = await processor.now();
  await change(store, state.id, (current) => {
    const card = cardOf(form['card']);
    if (verb === 'card' && card) return replaceCard(current, card, now);
    const running = current.subscriptions.find((one) => !hasEnded(one));
    if (verb === 'card' || !running || running.cancelAtPeriodEnd === (verb === 'cancel')) return;
    if (running.scheduleId) releaseSchedule(current, running.scheduleId, now);
    setCancellation(current, running, verb === 'cancel', now);
  });
  await processor.flush(state.id);
  // Relative, so that it works for any host name in the browser.
  return seeOther(`../${id}`);
}

/** What operators do in the processor's Dashboard with a customer and its subscription. */
const dashboardActions: Record<string, (state: CustomerState, now: number) => void> = {
  delete: deleteCustomer,
  'older-price': (state, now) => setPrice(state, unlisted.older.id, now),
  'own-product': (state, now) => setPrice(state, unlisted.ownProduct.id, now),
  extra: (state, now) => {
    const running = state.subscriptions.find((one) => !hasEnded(one));
    if (!running) return;
    running.extraPriceId = unlisted.extra.id;
    emit(state, 'customer.subscription.updated', running, now);
  },
  incomplete: (state, now) => beginIncomplete(state, 'price_plus_month', now),
};

function setPrice(state: CustomerState, priceId: string, now: number): void {
  const running = state.subscriptions.find((one) => !hasEnded(one));
  if (!running) return;
  running.priceId = priceId;
  for (const invoice of state.invoices) for (const line of invoice.lines) line.priceId = priceId;
  emit(state, 'customer.subscription.updated', running, now);
}

async function actInDashboard({ processor, store, state }: Posted, verb: string): Promise<PageAnswer> {
  const act = dashboardActions[verb];
  if (!act) return notFoundPage();
  const now = await processor.now();
  await change(store, state.id, (current) => act(current, now));
  await processor.flush(state.id);
  return json(200, { id: state.id, email: (await store.find(state.id))?.email });
}

function showInvoice(state: CustomerState, id: string): PageAnswer {
  const invoice = state.invoices.find((candidate) => candidate.id === id);
  if (!invoice) return notFoundPage();
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="${invoice.number}.pdf"`,
    'cache-control': 'no-store',
  };
  return { status: 200, headers, body: invoicePdf(state, invoice) };
}

const change = (store: Store, id: string, act: (state: CustomerState) => void): Promise<void> =>
  store.update(id, (state) => {
    if (!state) throw new Error('the simulator has no such customer');
    act(state);
    return { state, result: undefined };
  });

const html = (status: number, body: string): PageAnswer => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  },
  body,
});

const json = (status: number, body: unknown): PageAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

const refuse = (field: string, message: string): PageAnswer =>
  json(400, {
    error: {
      code: 'invalid_request',
      message: `${field}: ${message}`,
      details: [{ field, code: 'invalid_value', message }],
    },
  });

const seeOther = (location: string): PageAnswer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store' },
  body: '',
});

const notFoundPage = (): PageAnswer => html(404, messagePage('Not found', 'There is no such page.', null));

const expired = (): PageAnswer =>
  html(410, messagePage('Expired', 'This payment page has expired. Start the checkout again.', null));
