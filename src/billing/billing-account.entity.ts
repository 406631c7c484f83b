import { defineEntity, p } from '@mikro-orm/postgresql';
import type { BillingInterval, PaidPlan, SubscriptionStatus } from './payments.ports.ts';
import { User } from '../accounts/user.entity.ts';

const BillingAccountSchema = defineEntity({
  name: 'BillingAccount',
  tableName: 'billing_accounts',
  properties: {
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    customerId: p.text(),
    /** Reads of the processor are numbered when they start. A read that was overtaken by a newer one is discarded. */
    lastTicket: p.bigint('number').default(0),
    appliedTicket: p.bigint('number').default(0),
    subscriptionId: p.text().strictNullable(),
    plan: p.text().$type<PaidPlan>().strictNullable(),
    status: p.text().$type<SubscriptionStatus>().strictNullable(),
    interval: p.text().$type<BillingInterval>().strictNullable(),
    currentPeriodStart: p.datetime(3).strictNullable(),
    currentPeriodEnd: p.datetime(3).strictNullable(),
    cancelAt: p.datetime(3).strictNullable(),
    canceledAt: p.datetime(3).strictNullable(),
    startedAt: p.datetime(3).strictNullable(),
    pendingPlan: p.text().$type<PaidPlan>().strictNullable(),
    pendingInterval: p.text().$type<BillingInterval>().strictNullable(),
    pendingAt: p.datetime(3).strictNullable(),
    pastDueSince: p.datetime(3).strictNullable(),
    /** Whether the subscription has a price of a plan. If not, the plan stays what it was, and a gauge reports it. */
    isPriceKnown: p.boolean().default(true),
    eventSequence: p.integer().default(0),
    updatedAt: p.datetime(3),
  },
});

/**
 * The service's copy of an account at the payment processor. Without a subscription the fields of the subscription are
 * null.
 */
export class BillingAccount extends BillingAccountSchema.class {}
BillingAccountSchema.setClass(BillingAccount);
