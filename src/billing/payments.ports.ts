import type { Plan } from '../core/actor.ts';

export type PaidPlan = Exclude<Plan, 'free'>;
export type BillingInterval = 'month' | 'year';
export type SubscriptionStatus = 'active' | 'past_due' | 'canceled' | 'unpaid' | 'incomplete';
export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';

/** The current state of a subscription at the processor. */
export interface ProcessorSubscription {
  id: string;
  /** Null when neither the price nor its product is one of the service's plans. */
  plan: PaidPlan | null;
  interval: BillingInterval;
  status: SubscriptionStatus;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  cancelAt: Date | null;
  canceledAt: Date | null;
  createdAt: Date;
  /** The scheduled change of plan or interval; null when there is none. */
  pending: { plan: PaidPlan; interval: BillingInterval; at: Date } | null;
}

export interface ProcessorInvoice {
  id: string;
  subscriptionId: string;
  number: string;
  /** Amount in minor units. */
  amount: number;
  currency: string;
  status: InvoiceStatus;
  /** Null when no line is for one of the service's plans. */
  plan: PaidPlan | null;
  interval: BillingInterval;
  periodStart: Date;
  periodEnd: Date;
  paidAt: Date | null;
  pdfUrl: string | null;
  createdAt: Date;
}

/** All data of a customer that the service copies, read together. */
export interface ProcessorAccount {
  subscriptions: ProcessorSubscription[];
  invoices: ProcessorInvoice[];
  /** The processor's time, which a test clock can move forward. */
  asOf: Date;
}

export interface CheckoutSession {
  id: string;
  url: string;
  expiresAt: Date;
}

/** A signed event of the processor. Only its customer is used, because the state of its object can be out of date. */
export interface ProcessorEvent {
  id: string;
  type: string;
  customerId: string | null;
  createdAt: Date;
}

interface CheckoutOrder {
  userId: string;
  customerId: string;
  plan: PaidPlan;
  interval: BillingInterval;
  successUrl: string;
  cancelUrl: string;
  idempotencyKey: string;
}

interface PlanChange {
  subscriptionId: string;
  plan: PaidPlan;
  interval: BillingInterval;
  idempotencyKey: string;
}

/** The price of a plan for one interval. */
export interface PlanPrice {
  plan: PaidPlan;
  interval: BillingInterval;
  /** Amount in minor units. */
  amount: number;
  /** ISO 4217 code in lower case. */
  currency: string;
}

/** Payment method of a customer. */
export interface PaymentMethod {
  /** Card brand such as `visa` or `mastercard`, or the kind of another payment method, such as `sepa_debit`. */
  brand: string;
  last4: string | null;
  /** Month after which a card is no longer valid; null for other methods. */
  expires: { month: number; year: number } | null;
}

/**
 * The payment processor. Every write has an idempotency key: repeating it returns the first response. All calls throw
 * AppError `unavailable` when the processor fails, and `conflict` when it rejects a request for a reason that the user
 * can fix, such as a declined card.
 */
export interface Payments {
  createCustomer(customer: { userId: string; email: string; idempotencyKey: string }): Promise<string>;
  /** Sets the customer's e-mail address. A no-op for a deleted customer. */
  setEmail(customerId: string, email: string): Promise<void>;
  /** Deletes a customer and ends its subscriptions immediately, without a refund. A no-op for a deleted customer. */
  deleteCustomer(customerId: string): Promise<void>;
  /** Returns null when the customer does not exist, because it was deleted at the processor. */
  startCheckout(order: CheckoutOrder): Promise<CheckoutSession | null>;
  /** Invalidates a session. Returns whether it had been paid. */
  endCheckout(sessionId: string): Promise<'expired' | 'paid'>;
  getAccount(customerId: string): Promise<ProcessorAccount>;
  /** Returns the price of each plan and interval on sale. */
  listPrices(): Promise<PlanPrice[]>;
  /** Returns the payment method for the customer's next payments; null when there is none. */
  getPaymentMethod(customerId: string): Promise<PaymentMethod | null>;
  /** Returns what `upgrade` would charge now, without changing anything. */
  previewUpgrade(change: Omit<PlanChange, 'idempotencyKey'>): Promise<{ amount: number; currency: string }>;
  /**
   * Changes plan and interval immediately, charges the difference for the rest of the period, and withdraws a
   * cancellation. A longer interval starts a new period.
   */
  upgrade(change: PlanChange): Promise<{ amount: number; currency: string }>;
  /** Changes plan and interval at the end of the current period. */
  scheduleDowngrade(change: PlanChange): Promise<{ currency: string }>;
  /** Cancels the subscription at the end of the period and drops a scheduled change. */
  cancel(subscriptionId: string, idempotencyKey: string): Promise<void>;
  /** Ends a subscription whose first payment has not succeeded. A no-op if it has, or if the subscription has ended. */
  endIncomplete(subscriptionId: string, idempotencyKey: string): Promise<void>;
  /** Reverts a cancellation and a scheduled change. */
  resume(subscriptionId: string, idempotencyKey: string): Promise<void>;
  /** Returns null when the customer does not exist, because it was deleted at the processor. */
  openPortal(
    customerId: string,
    returnUrl: string,
    idempotencyKey: string,
  ): Promise<{ url: string; expiresAt: Date } | null>;
  /**
   * Verifies and parses an event.
   * @throws AppError `invalid_request` when it is forged, older than 300 seconds, or of the other mode (test or live)
   */
  readEvent(rawBody: Buffer, signature: string): Promise<ProcessorEvent>;
}

declare module '../core/ctx.ts' {
  interface Ports {
    payments: Payments;
  }
}
