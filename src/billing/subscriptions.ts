import { callerId } from '../accounts/caller.ts';
import type { Plan } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { type BillingAccount, findBillingAccount } from './billing-accounts.ts';
import type { BillingInterval, PaidPlan, SubscriptionStatus } from './payments.ports.ts';

/** What an account pays for. Every account has one; a free one runs by calendar months. */
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
  /** The plan that follows when the period ends. */
  pendingPlan: PaidPlan | null;
}

/** The caller's subscription. */
export async function getSubscription(ctx: Ctx): Promise<Subscription> {
  const userId = callerId(ctx);
  return subscriptionOf(ctx, userId, await findBillingAccount(ctx, userId));
}

const selectCreated = {
  name: 'billing_user_created',
  text: 'select created_at as "createdAt" from users where id = $1',
};

/** The subscription of a user as everybody is shown it. @throws AppError `unauthenticated` when the user is gone */
export async function subscriptionOf(ctx: Ctx, userId: string, account: BillingAccount | null): Promise<Subscription> {
  if (account?.subscriptionId) return paidSubscription(account);
  const [user] = await ctx.sql<{ createdAt: Date }>(selectCreated, [userId]);
  if (!user) throw new AppError('unauthenticated');
  return freeSubscription(userId, account, user.createdAt, ctx.clock.now());
}

/** One for each account, for good. */
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
    pendingPlan: account.pendingPlan,
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
});
