import { createHash } from 'node:crypto';

/** The state of one customer. Times are Unix seconds, amounts cents. */
export interface CustomerState {
  id: string;
  email: string;
  metadata: Record<string, string>;
  created: number;
  deleted: boolean;
  card: Card | null;
  subscriptions: Subscription[];
  schedules: Schedule[];
  invoices: Invoice[];
  checkouts: Checkout[];
  portals: Portal[];
  /** Stored responses by idempotency key. */
  answered: Record<string, { request: string; status: number; body: unknown }>;
  /** Undelivered events, oldest first. */
  unsent: QueuedEvent[];
  counter: number;
}

export interface Card {
  last4: string;
  /** Kind of card. `declined` pays only the first time. */
  kind: 'good' | 'declined';
}

export interface Subscription {
  id: string;
  itemId: string;
  priceId: string;
  /** Price of a further item, before that of the plan. */
  extraPriceId?: string;
  status: 'active' | 'past_due' | 'incomplete' | 'incomplete_expired' | 'canceled';
  anchor: number;
  /** Number of periods since the anchor. */
  cycle: number;
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  canceledAt: number | null;
  endedAt: number | null;
  created: number;
  scheduleId: string | null;
  latestInvoiceId: string | null;
}

export interface Schedule {
  id: string;
  subscriptionId: string;
  status: 'active' | 'released' | 'completed';
  created: number;
  phases: { priceId: string; start: number; end: number }[];
}

export interface InvoiceLine {
  amount: number;
  description: string;
  priceId: string;
  start: number;
  end: number;
  proration: boolean;
}

export interface Invoice {
  id: string;
  number: string;
  subscriptionId: string;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  created: number;
  paidAt: number | null;
  attempts: number;
  nextAttempt: number | null;
  lines: InvoiceLine[];
}

export interface Checkout {
  id: string;
  priceId: string;
  successUrl: string;
  cancelUrl: string;
  reference: string | null;
  created: number;
  expiresAt: number;
  status: 'open' | 'complete' | 'expired';
  subscriptionId: string | null;
}

export interface Portal {
  id: string;
  created: number;
  returnUrl: string | null;
}

export interface QueuedEvent {
  id: string;
  /** Event as JSON in wire format. */
  body: string;
}

export const hasEnded = ({ status }: Subscription): boolean => status === 'canceled' || status === 'incomplete_expired';

/**
 * Returns the part of every id that identifies the customer. Derived from the key, so that the same key creates the
 * same customer.
 */
export const customerToken = (idempotencyKey: string): string =>
  createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 20);

/** Returns the customer of an id such as `sub_TOKEN_3`, `cs_test_TOKEN_1` or `cus_TOKEN`; null for anything else. */
export function customerIdOf(id: string): string | null {
  const token = /^(?:[a-z]+_)+([0-9a-f]{20})(?:_\d+)?$/.exec(id)?.[1];
  return token ? `cus_${token}` : null;
}

/** Returns the next id of an object of this customer, such as `sub_TOKEN_3`. Increments the counter in the state. */
export function newObjectId(state: CustomerState, prefix: string): string {
  state.counter += 1;
  return `${prefix}_${state.id.slice('cus_'.length)}_${state.counter}`;
}

export const newCustomer = (
  token: string,
  email: string,
  metadata: Record<string, string>,
  created: number,
): CustomerState => ({
  id: `cus_${token}`,
  email,
  metadata,
  created,
  deleted: false,
  card: null,
  subscriptions: [],
  schedules: [],
  invoices: [],
  checkouts: [],
  portals: [],
  answered: {},
  unsent: [],
  counter: 0,
});

export const totalOf = (invoice: Invoice): number => invoice.lines.reduce((sum, line) => sum + line.amount, 0);
