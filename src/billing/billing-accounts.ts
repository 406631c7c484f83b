import { LockMode } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.ts';
import type { Plan } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { BillingAccount } from './billing-account.entity.ts';
import type { BillingInterval, PaidPlan, SubscriptionStatus } from './payments.ports.ts';

/** Reads the current row of an account, even when the caller has read it before; null before its first checkout. */
export const findBillingAccount = (ctx: Ctx, userId: string): Promise<BillingAccount | null> =>
  ctx.em.findOne(BillingAccount, { userId }, { disableIdentityMap: true });

/** Reads the row of an account as a managed entity and locks it until the transaction ends. */
export const lockBillingAccount = (tx: Ctx, userId: string): Promise<BillingAccount | null> =>
  tx.em.findOne(BillingAccount, { userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });

/** Returns the user of a customer; null for an unknown customer. */
export async function findUserOfCustomer(ctx: Ctx, customerId: string): Promise<string | null> {
  const account = await ctx.em.findOne(BillingAccount, { customerId });
  return account?.userId ?? null;
}

/** An account with a subscription that can be changed. */
export type PaidAccount = BillingAccount & {
  subscriptionId: string;
  plan: PaidPlan;
  status: SubscriptionStatus;
  interval: BillingInterval;
  currentPeriodEnd: Date;
};

/** Locks an account with a paid subscription. @throws AppError `no_active_subscription` */
export async function lockPaidAccount(tx: Ctx, userId: string): Promise<PaidAccount> {
  const account = await lockBillingAccount(tx, userId);
  return requirePaid(account);
}

/** @throws AppError `no_active_subscription` */
export function requirePaid(account: BillingAccount | null): PaidAccount {
  if (isPaidAccount(account)) return account;
  const message =
    'The first payment of the subscription has not succeeded. Pay it in the portal, or start another checkout.';
  throw new AppError('no_active_subscription', account?.status === 'incomplete' ? { message } : {});
}

/** Returns whether the account has a subscription whose first payment succeeded. */
const isPaidAccount = (account: BillingAccount | null): account is PaidAccount =>
  account !== null && account.subscriptionId !== null && account.plan !== null && account.status !== 'incomplete';

/** Sets the plan that determines all limits of the account. */
export async function setEffectivePlan(tx: Ctx, userId: string, plan: Plan): Promise<void> {
  await tx.em.nativeUpdate(User, { id: userId, plan: { $ne: plan } }, { plan, updatedAt: tx.clock.now() });
}
