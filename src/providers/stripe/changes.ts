import type Stripe from 'stripe';
import { AppError } from '../../core/errors.ts';
import { idOf } from './account.ts';

interface Change {
  subscriptionId: string;
  priceId: string;
  idempotencyKey: string;
}

/** Switches to the new price immediately and charges the difference. If the card is declined, nothing changes. */
export async function changeNow(stripe: Stripe, { subscriptionId, priceId, idempotencyKey }: Change) {
  const { item, schedule } = await readSubscription(stripe, subscriptionId);
  await release(stripe, schedule, idempotencyKey);
  const changed = await stripe.subscriptions.update(
    subscriptionId,
    {
      items: [{ id: item.id, price: priceId }],
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

/** Returns the total of the invoice that `changeNow` would create now. */
export async function previewChange(stripe: Stripe, { subscriptionId, priceId }: Omit<Change, 'idempotencyKey'>) {
  const { subscription, item } = await readSubscription(stripe, subscriptionId);
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
export async function changeAtPeriodEnd(stripe: Stripe, { subscriptionId, priceId, idempotencyKey }: Change) {
  const { subscription, item, schedule } = await readSubscription(stripe, subscriptionId);
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
          items: [{ price: item.price.id, quantity: 1 }],
          start_date: item.current_period_start,
          end_date: item.current_period_end,
        },
        {
          items: [{ price: priceId, quantity: 1 }],
          start_date: item.current_period_end,
          duration: { interval: item.price.recurring?.interval ?? 'month', interval_count: 1 },
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
  const { schedule } = await readSubscription(stripe, subscriptionId);
  await release(stripe, schedule, idempotencyKey);
  await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: cancels }, { idempotencyKey });
}

async function readSubscription(stripe: Stripe, subscriptionId: string) {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId);
  const item = subscription.items.data[0];
  if (!item || subscription.status === 'canceled') throw new AppError('no_active_subscription');
  return { subscription, item, schedule: subscription.schedule };
}

async function release(stripe: Stripe, schedule: Stripe.Subscription['schedule'], key: string): Promise<void> {
  if (schedule === null) return;
  await stripe.subscriptionSchedules.release(idOf(schedule), {}, { idempotencyKey: `${key}-release` });
}
