import { callerId } from '../../accounts/caller.ts';
import { User } from '../../accounts/user.entity.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import type { BillingAccount } from '../billing-account.entity.ts';
import { findBillingAccount } from '../billing-accounts.ts';
import type { BillingInterval, PaidPlan, SubscriptionStatus } from '../payments.ports.ts';

/** The subscription of an account. Every account has one; the period of a free subscription is the calendar month. */
export interface Subscription {
  id: string;
  plan: Plan;
  status: SubscriptionStatus;
  interval: BillingInterval;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  cancelAt: Date | null;
  canceledAt: Date | null;
  createdAt: Date;
  processorCustomerId: string | null;
  /** Plan that takes effect when the period ends; null when it does not change. */
  pendingPlan: PaidPlan | null;
  /** Billing interval from the end of the period on; null when it does not change. */
  pendingInterval: BillingInterval | null;
}

/** Returns the caller's subscription. */
export async function getSubscription(ctx: Ctx): Promise<Subscription> {
  const userId = callerId(ctx);
  return subscriptionOf(ctx, userId, await findBillingAccount(ctx, userId));
}

/**
 * Returns the subscription of a user in the form of the API.
 * @throws AppError `unauthenticated` when the user was deleted
 */
export async function subscriptionOf(ctx: Ctx, userId: string, account: BillingAccount | null): Promise<Subscription> {
  if (account?.subscriptionId && account.plan) return paidSubscription(account);
  const user = await ctx.em.findOne(User, { id: userId }, { fields: ['createdAt'] });
  if (!user) throw new AppError('unauthenticated');
  return freeSubscription(userId, account, user.createdAt, ctx.clock.now());
}

/** Returns the id of a subscription. It is derived from the user's id, so it never changes. */
const subscriptionId = (userId: string): string => userId.replace(/^usr_/, 'sub_');

const paidSubscription = (account: BillingAccount): Subscription => {
  const { userId, customerId, plan, status, interval, currentPeriodStart, currentPeriodEnd, startedAt } = account;
  if (!plan || !status || !interval || !currentPeriodStart || !currentPeriodEnd || !startedAt)
    throw new Error(`The billing account of ${userId} is incomplete.`);
  return {
    id: subscriptionId(userId),
    plan,
    status,
    interval,
    currentPeriodStart,
    currentPeriodEnd,
    cancelAt: account.cancelAt,
    canceledAt: account.canceledAt,
    createdAt: startedAt,
    processorCustomerId: customerId,
    pendingPlan: account.pendingPlan === plan ? null : account.pendingPlan,
    pendingInterval: account.pendingInterval === interval ? null : account.pendingInterval,
  };
};

const freeSubscription = (
  userId: string,
  account: Pick<BillingAccount, 'customerId'> | null,
  createdAt: Date,
  now: Date,
): Subscription => ({
  id: subscriptionId(userId),
  plan: 'free',
  status: 'active',
  interval: 'month',
  currentPeriodStart: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)),
  currentPeriodEnd: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
  cancelAt: null,
  canceledAt: null,
  createdAt,
  processorCustomerId: account?.customerId ?? null,
  pendingPlan: null,
  pendingInterval: null,
});
