import type { Plan } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import type { BillingInterval, PaidPlan, SubscriptionStatus } from './payments.ports.ts';

/** What we know of an account from the processor. Without a subscription everything from `subscriptionId` on is null. */
export interface BillingAccount {
  userId: string;
  customerId: string;
  appliedTicket: number;
  eventSequence: number;
  subscriptionId: string | null;
  plan: PaidPlan | null;
  status: SubscriptionStatus | null;
  interval: BillingInterval | null;
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  cancelAt: Date | null;
  canceledAt: Date | null;
  startedAt: Date | null;
  pendingPlan: PaidPlan | null;
  pendingAt: Date | null;
  pastDueSince: Date | null;
}

const columns = `
  user_id as "userId", customer_id as "customerId", applied_ticket as "appliedTicket", event_sequence as "eventSequence",
  subscription_id as "subscriptionId", plan, status, "interval", current_period_start as "currentPeriodStart",
  current_period_end as "currentPeriodEnd", cancel_at as "cancelAt", canceled_at as "canceledAt",
  started_at as "startedAt", pending_plan as "pendingPlan", pending_at as "pendingAt", past_due_since as "pastDueSince"`;

const select = { name: 'billing_account', text: `select ${columns} from billing_accounts where user_id = $1` };
const selectLocked = { name: 'billing_account_lock', text: `${select.text} for update` };
const selectByCustomer = {
  name: 'billing_account_by_customer',
  text: 'select user_id as "userId" from billing_accounts where customer_id = $1',
};

/** Null until the account has had to do with the processor. */
export async function findBillingAccount(ctx: Ctx, userId: string): Promise<BillingAccount | null> {
  const [account] = await ctx.sql<BillingAccount>(select, [userId]);
  return account ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockBillingAccount(ctx: Ctx, userId: string): Promise<BillingAccount | null> {
  const [account] = await ctx.sql<BillingAccount>(selectLocked, [userId]);
  return account ?? null;
}

/** Whose customer it is; null when it is nobody's. */
export async function findUserOfCustomer(ctx: Ctx, customerId: string): Promise<string | null> {
  const [row] = await ctx.sql<{ userId: string }>(selectByCustomer, [customerId]);
  return row?.userId ?? null;
}

/** An account whose subscription can be changed. */
export type PaidAccount = BillingAccount & {
  subscriptionId: string;
  plan: PaidPlan;
  status: SubscriptionStatus;
  interval: BillingInterval;
  currentPeriodEnd: Date;
};

/** @throws AppError `no_active_subscription` */
export async function lockPaidAccount(ctx: Ctx, userId: string): Promise<PaidAccount> {
  const account = await lockBillingAccount(ctx, userId);
  if (!account?.subscriptionId || account.status === 'incomplete') throw new AppError('no_active_subscription');
  return account as PaidAccount;
}

const setPlan = {
  name: 'billing_set_plan',
  text: 'update users set plan = $2, updated_at = $3 where id = $1 and plan <> $2',
};

/** Makes `plan` the one that every limit of the account is read from. */
export async function setEffectivePlan(ctx: Ctx, userId: string, plan: Plan): Promise<void> {
  await ctx.sql(setPlan, [userId, plan, ctx.clock.now()]);
}
