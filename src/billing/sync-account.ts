import { lockPlan } from '../accounts/plan.ts';
import type { Ctx } from '../core/ctx.ts';
import { publish } from '../core/outbox.ts';
import { enqueueTask } from '../core/tasks.ts';
import { inTransaction } from '../core/transaction.ts';
import { type BillingAccount, lockBillingAccount, setEffectivePlan } from './billing-accounts.ts';
import { effectivePlan, graceEnd, owedSince, runningSubscription } from './effective-plan.ts';
import { storeInvoices } from './invoices.ts';
import type { ProcessorAccount, ProcessorSubscription } from './payments.ports.ts';
import { eventOfChange } from './subscription.events.ts';
import { subscriptionOf } from './subscriptions.ts';

/** Kind of the task that brings one account up to date; its key is the user's id. */
export const syncTaskKind = 'billing.sync';

const takeTicket = {
  name: 'billing_take_ticket',
  text: `
    update billing_accounts set last_ticket = last_ticket + 1 where user_id = $1
    returning customer_id as "customerId", last_ticket as ticket`,
};

/**
 * Makes our copy of an account what the processor has now: subscription, plan, invoices and the events that tell of the
 * change are one transaction. Any number of these, in any order and at once, end in the processor's newest state.
 * Answers whether the subscription, the plan or an invoice had differed. @throws AppError `unavailable`
 */
export async function syncAccount(ctx: Ctx, userId: string): Promise<boolean> {
  const [claim] = await ctx.sql<{ customerId: string; ticket: number }>(takeTicket, [userId]);
  if (!claim) return false;
  const account = await ctx.ports.payments.getAccount(claim.customerId);
  return inTransaction(ctx, (tx) => applyAccount(tx, userId, claim.ticket, account));
}

const update = {
  name: 'billing_account_update',
  text: `
    update billing_accounts set applied_ticket = $2, subscription_id = $3, plan = $4, status = $5, "interval" = $6,
      current_period_start = $7, current_period_end = $8, cancel_at = $9, canceled_at = $10, started_at = $11,
      pending_plan = $12, pending_at = $13, past_due_since = $14, event_sequence = $15, updated_at = $16
    where user_id = $1`,
};

async function applyAccount(tx: Ctx, userId: string, ticket: number, processor: ProcessorAccount): Promise<boolean> {
  const planBefore = await lockPlan(tx, userId);
  const before = await lockBillingAccount(tx, userId);
  if (!before || before.appliedTicket >= ticket) return false;
  const subscription = runningSubscription(processor);
  if (processor.subscriptions.filter(({ status }) => status !== 'canceled').length > 1)
    tx.log.error({ userId, customerId: before.customerId }, 'a customer has more than one running subscription');
  const after = accountWith(before, subscription, processor);
  const was = await subscriptionOf(tx, userId, before);
  const is = await subscriptionOf(tx, userId, after);
  const event = eventOfChange(was, is);
  if (event) after.eventSequence += 1;
  await tx.sql(update, rowOf(after, ticket, tx.clock.now()));
  const plan = effectivePlan(subscription, after.pastDueSince, processor.asOf);
  await setEffectivePlan(tx, userId, plan);
  const invoicesChanged = await storeInvoices(tx, userId, processor.invoices);
  if (event) await publish(tx, userId, event, { ...is, sequence: after.eventSequence });
  await scheduleNextLook(tx, userId, after, processor.asOf);
  return event !== null || plan !== planBefore || invoicesChanged;
}

const accountWith = (
  before: BillingAccount,
  subscription: ProcessorSubscription | null,
  processor: ProcessorAccount,
): BillingAccount => ({
  ...before,
  subscriptionId: subscription?.id ?? null,
  plan: subscription?.plan ?? null,
  status: subscription?.status ?? null,
  interval: subscription?.interval ?? null,
  currentPeriodStart: subscription?.currentPeriodStart ?? null,
  currentPeriodEnd: subscription?.currentPeriodEnd ?? null,
  cancelAt: subscription?.cancelAt ?? null,
  canceledAt: subscription?.canceledAt ?? null,
  startedAt: subscription?.createdAt ?? null,
  pendingPlan: subscription?.pending?.plan ?? null,
  pendingAt: subscription?.pending?.at ?? null,
  pastDueSince: subscription && owedSince(processor, subscription),
});

const rowOf = (account: BillingAccount, ticket: number, now: Date) => [
  account.userId,
  ticket,
  account.subscriptionId,
  account.plan,
  account.status,
  account.interval,
  account.currentPeriodStart,
  account.currentPeriodEnd,
  account.cancelAt,
  account.canceledAt,
  account.startedAt,
  account.pendingPlan,
  account.pendingAt,
  account.pastDueSince,
  account.eventSequence,
  now,
];

const overdueLookMs = 3_600_000;

/** Nothing that time alone does may depend on an event that can get lost: look when the period or the grace ends. */
async function scheduleNextLook(tx: Ctx, userId: string, account: BillingAccount, asOf: Date): Promise<void> {
  if (!account.currentPeriodEnd) return;
  const moments = [account.currentPeriodEnd, ...(account.pastDueSince ? [graceEnd(account.pastDueSince)] : [])];
  const waits = moments.map((moment) => moment.getTime() - asOf.getTime()).filter((waitMs) => waitMs > 0);
  const waitMs = waits.length > 0 ? Math.min(...waits) : overdueLookMs;
  await enqueueTask(tx, syncTaskKind, { userId }, { key: userId, runAt: new Date(tx.clock.now().getTime() + waitMs) });
}
