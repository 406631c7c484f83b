import type Stripe from 'stripe';
import { AppError } from '../../core/errors.ts';
import type { BillingInterval } from '../../billing/payments.ports.ts';
import { type createOffers, idOf, planItem } from './prices.ts';

interface Change {
  subscriptionId: string;
  priceId: string;
  interval: BillingInterval;
  idempotencyKey: string;
}

/** Reads which prices are plans: a subscription may have further items. */
type ReadOffers = ReturnType<typeof createOffers>;

/**
 * Switches to the new price immediately, charges the difference and withdraws a cancellation. If the card is declined,
 * nothing changes.
 */
export async function changeNow(
  stripe: Stripe,
  readOffers: ReadOffers,
  { subscriptionId, priceId, idempotencyKey }: Change,
) {
  const { subscription, item, schedule } = await readSubscription(stripe, readOffers, subscriptionId);
  await release(stripe, schedule, idempotencyKey);
  const changed = await stripe.subscriptions.update(
    subscriptionId,
    {
      items: [{ id: item.id, price: priceId }],
      ...withoutCancellation(subscription),
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
      expand: ['latest_invoice'],
    },
    { idempotencyKey },
  );
  const invoice = changed.latest_invoice;
  const charged = invoice !== null && typeof invoice !== 'string' && invoice.billing_reason === 'subscription_update';
  return { amount: charged ? invoice.total : 0, currency: changed.currency };
}

/** A cancellation is either at the end of the period or at a time that was set in the Dashboard. */
const withoutCancellation = ({ cancel_at: at, cancel_at_period_end: atPeriodEnd }: Stripe.Subscription) => ({
  ...(atPeriodEnd ? { cancel_at_period_end: false } : {}),
  ...(at !== null && !atPeriodEnd ? { cancel_at: '' as const } : {}),
});

/** Returns the total of the invoice that `changeNow` would create now. */
export async function previewChange(
  stripe: Stripe,
  readOffers: ReadOffers,
  { subscriptionId, priceId }: Pick<Change, 'subscriptionId' | 'priceId'>,
) {
  const { subscription, item } = await readSubscription(stripe, readOffers, subscriptionId);
  const invoice = await stripe.invoices.createPreview({
    customer: idOf(subscription.customer),
    subscription: subscriptionId,
    subscription_details: { items: [{ id: item.id, price: priceId }], proration_behavior: 'always_invoice' },
  });
  return { amount: Math.max(invoice.total, 0), currency: invoice.currency };
}

/**
 * Switches to the new price at the start of the next period, by a schedule of two phases that releases the subscription
 * at its end.
 */
export async function changeAtPeriodEnd(
  stripe: Stripe,
  readOffers: ReadOffers,
  { subscriptionId, priceId, interval, idempotencyKey }: Change,
) {
  const { subscription, item, schedule } = await readSubscription(stripe, readOffers, subscriptionId);
  const itemsWith = (price: string) =>
    subscription.items.data.map(({ id, price: { id: other }, quantity = 1 }) => ({
      price: id === item.id ? price : other,
      quantity,
    }));
  const held =
    schedule ??
    (await stripe.subscriptionSchedules.create(
      { from_subscription: subscriptionId },
      { idempotencyKey: `${idempotencyKey}-schedule` },
    ));
  await stripe.subscriptionSchedules.update(
    idOf(held),
    {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        {
          items: itemsWith(item.price.id),
          start_date: item.current_period_start,
          end_date: item.current_period_end,
        },
        {
          items: itemsWith(priceId),
          start_date: item.current_period_end,
          duration: { interval, interval_count: 1 },
        },
      ],
    },
    { idempotencyKey },
  );
  return { currency: subscription.currency };
}

/**
 * Sets or revokes cancellation at the end of the period. Releases an existing schedule, which would prevent the change.
 */
export async function setCancellation(
  stripe: Stripe,
  subscriptionId: string,
  cancels: boolean,
  idempotencyKey: string,
): Promise<void> {
  const { schedule } = await readRunning(stripe, subscriptionId);
  await release(stripe, schedule, idempotencyKey);
  await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: cancels }, { idempotencyKey });
}

/** Voids the invoice of a first payment that has not succeeded, which ends the subscription. A paid one stays. */
export async function endIncomplete(stripe: Stripe, subscriptionId: string, idempotencyKey: string): Promise<void> {
  const { status, latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscriptionId);
  if (status !== 'incomplete' || invoice === null) return;
  await stripe.invoices.voidInvoice(idOf(invoice), {}, { idempotencyKey });
}

async function readRunning(stripe: Stripe, subscriptionId: string): Promise<Stripe.Subscription> {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId);
  if (subscription.status === 'canceled') throw new AppError('no_active_subscription');
  return subscription;
}

async function readSubscription(stripe: Stripe, readOffers: ReadOffers, subscriptionId: string) {
  const subscription = await readRunning(stripe, subscriptionId);
  const items = subscription.items.data;
  const item = planItem(
    items,
    await readOffers(
      stripe,
      items.map(({ price }) => price.id),
    ),
  );
  if (!item) throw new AppError('no_active_subscription');
  return { subscription, item, schedule: subscription.schedule };
}

async function release(stripe: Stripe, schedule: Stripe.Subscription['schedule'], key: string): Promise<void> {
  if (schedule === null) return;
  await stripe.subscriptionSchedules.release(idOf(schedule), {}, { idempotencyKey: `${key}-release` });
}
