import type { Plan } from '../core/actor.ts';

export type PaidPlan = Exclude<Plan, 'free'>;
export type BillingInterval = 'month' | 'year';
export type SubscriptionStatus = 'active' | 'past_due' | 'canceled' | 'unpaid' | 'incomplete';
export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';

/** A subscription as the processor has it now. */
export interface ProcessorSubscription {
  id: string;
  plan: PaidPlan;
  interval: BillingInterval;
  status: SubscriptionStatus;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  cancelAt: Date | null;
  canceledAt: Date | null;
  createdAt: Date;
  /** What it turns into, and when. */
  pending: { plan: PaidPlan; at: Date } | null;
}

export interface ProcessorInvoice {
  id: string;
  subscriptionId: string;
  number: string;
  /** Minor units. */
  amount: number;
  currency: string;
  status: InvoiceStatus;
  plan: PaidPlan;
  interval: BillingInterval;
  periodStart: Date;
  periodEnd: Date;
  paidAt: Date | null;
  pdfUrl: string | null;
  createdAt: Date;
}

/** Everything of one customer that the service keeps a copy of, read at one moment. */
export interface ProcessorAccount {
  subscriptions: ProcessorSubscription[];
  invoices: ProcessorInvoice[];
  /** The processor's time, which is ahead of ours when its clock was moved for a test. */
  asOf: Date;
}

export interface CheckoutSession {
  id: string;
  url: string;
  expiresAt: Date;
}

/** A signed message of the processor. What it says about the object is not believed, only whom it is about. */
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

/**
 * The payment processor. Every writing call carries an idempotency key: the same key answers what was answered first.
 * All of them throw AppError `unavailable` when the processor does not answer, and `conflict` when it refuses for a
 * reason that the person can mend, a declined card say.
 */
export interface Payments {
  createCustomer(customer: { userId: string; email: string; idempotencyKey: string }): Promise<string>;
  /** Ends its subscriptions at once, without a refund. A customer that is gone already is fine. */
  deleteCustomer(customerId: string): Promise<void>;
  startCheckout(order: CheckoutOrder): Promise<CheckoutSession>;
  /** Makes a session unusable. Answers whether it had been paid before that. */
  endCheckout(sessionId: string): Promise<'expired' | 'paid'>;
  getAccount(customerId: string): Promise<ProcessorAccount>;
  /** Changes the plan now and charges the difference for the rest of the period. */
  upgrade(change: PlanChange): Promise<{ amount: number; currency: string }>;
  /** Changes the plan when the running period ends. */
  scheduleDowngrade(change: PlanChange): Promise<{ currency: string }>;
  /** Cancels at the end of the period. A change that was scheduled is dropped. */
  cancel(subscriptionId: string, idempotencyKey: string): Promise<void>;
  /** Takes back a cancellation and a scheduled change. */
  resume(subscriptionId: string, idempotencyKey: string): Promise<void>;
  openPortal(customerId: string, returnUrl: string, idempotencyKey: string): Promise<{ url: string; expiresAt: Date }>;
  /** @throws AppError `invalid_request` when it is forged, older than 300 seconds, or of the other mode (test or live) */
  readEvent(rawBody: Buffer, signature: string): Promise<ProcessorEvent>;
}

declare module '../core/ctx.ts' {
  interface Ports {
    payments: Payments;
  }
}
