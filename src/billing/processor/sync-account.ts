import { lockPlan } from '../../accounts/plan.ts';
import type { Ctx } from '../../core/ctx.ts';
import { publish } from '../../core/outbox.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { BillingAccount } from '../billing-account.entity.ts';
import { lockBillingAccount, setEffectivePlan } from '../billing-accounts.ts';
import { effectivePlan, graceEnd, overdueSince, runningSubscription } from '../subscriptions/effective-plan.ts';
import { storeInvoices } from '../invoices/invoices.ts';
import type { ProcessorAccount, ProcessorSubscription } from '../payments.ports.ts';
import { eventOfChange } from '../subscriptions/subscription.events.ts';
import { subscriptionOf } from '../subscriptions/subscriptions.ts';

const takeTicket = {
  name: 'billing_take_ticket',
  text: `
    update billing_accounts set last_ticket = last_ticket + 1 where user_id = $1
    returning customer_id as "customerId", last_ticket as ticket`,
};

/**
 * Copies the current state of an account from the processor. Subscription, plan, invoices and the events about the
 * change are one transaction. Concurrent syncs in any order result in the processor's newest state. Returns whether the
 * subscription, the plan or an invoice differed.
 * @throws AppError `unavailable`
 */
export async function syncAccount(ctx: Ctx, userId: string): Promise<boolean> {
  const [claim] = await ctx.sql<{ customerId: string; ticket: number }>(takeTicket, [userId]);
  if (!claim) return false;
  const account = await ctx.ports.payments.getAccount(claim.customerId);
  return inTransaction(ctx, (tx) => applyAccount(tx, userId, claim.ticket, account));
}

async function applyAccount(tx: Ctx, userId: string, ticket: number, read: ProcessorAccount): Promise<boolean> {
  const planBefore = await lockPlan(tx, userId);
  const account = await lockBillingAccount(tx, userId);
  if (!account || account.appliedTicket >= ticket) return false;
  const processor = withKnownPlan(read, account);
  const subscription = runningSubscription(processor);
  const isPriceKnown = read.subscriptions.find(({ id }) => id === subscription?.id)?.plan !== null;
  if (!isPriceKnown)
    tx.log.error({ userId, customerId: account.customerId }, 'a subscription has a price of no plan; its plan is kept');
  if (processor.subscriptions.filter(({ status }) => status !== 'canceled').length > 1)
    tx.log.error({ userId, customerId: account.customerId }, 'a customer has more than one running subscription');
  const before = await subscriptionOf(tx, userId, account);
  tx.em.assign(account, {
    ...subscriptionFields(processor, subscription),
    isPriceKnown,
    appliedTicket: ticket,
    updatedAt: tx.clock.now(),
  });
  const after = await subscriptionOf(tx, userId, account);
  const event = eventOfChange(before, after);
  if (event) account.eventSequence += 1;
  await tx.em.flush();
  const plan = effectivePlan(subscription, account.pastDueSince, processor.asOf);
  await setEffectivePlan(tx, userId, plan);
  const invoicesChanged = await storeInvoices(tx, userId, processor.invoices, account.plan);
  if (event) await publish(tx, userId, event, { ...after, sequence: account.eventSequence });
  await scheduleNextSync(tx, userId, account, processor.asOf);
  return event !== null || plan !== planBefore || invoicesChanged;
}

/** A subscription whose price is of no plan keeps the plan that it had. */
const withKnownPlan = (processor: ProcessorAccount, { subscriptionId, plan }: BillingAccount): ProcessorAccount => ({
  ...processor,
  subscriptions: processor.subscriptions.map((subscription) =>
    subscription.plan === null && subscription.id === subscriptionId ? { ...subscription, plan } : subscription,
  ),
});

const subscriptionFields = (processor: ProcessorAccount, subscription: ProcessorSubscription | null) => ({
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
  pendingInterval: subscription?.pending?.interval ?? null,
  pendingAt: subscription?.pending?.at ?? null,
  pastDueSince: subscription && overdueSince(processor, subscription),
});

const overdueSyncMs = 3_600_000;

/**
 * Schedules a sync for the end of the period or of the grace period, because events can be lost and the grace period
 * ends without one.
 */
async function scheduleNextSync(tx: Ctx, userId: string, account: BillingAccount, asOf: Date): Promise<void> {
  if (!account.currentPeriodEnd) return;
  const moments = [account.currentPeriodEnd, ...(account.pastDueSince ? [graceEnd(account.pastDueSince)] : [])];
  const waits = moments.map((moment) => moment.getTime() - asOf.getTime()).filter((waitMs) => waitMs > 0);
  const delayMs = waits.length > 0 ? Math.min(...waits) : overdueSyncMs;
  await enqueueTask(tx, 'billing.sync', { userId }, { key: userId, delayMs });
}
