import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { inTransaction, onCommitted } from '../core/transaction.ts';
import { toWire } from '../core/wire.ts';
import { type Delivery, deliveriesKind } from './delivery.ts';
import { eventCatalog } from './event-catalog.ts';
import type { Webhook } from './webhook.entity.ts';
import { listDeliveriesInput, recoverDeliveriesInput, testWebhookInput } from './webhook.input.ts';
import { getWebhook } from './webhooks.ts';

const columns = `
  d.id, d.webhook_id as "webhookId", d.event_id as "eventId", d.event_type as "eventType", d.status, d.attempts,
  d.created_at as "createdAt", case when d.status = 'pending' and d.lease_token is null then d.due_at end as "nextAttemptAt"`;

const conditions = `d.webhook_id = $1 and ($2::text is null or d.status = $2) and ($3::text is null or d.event_type = $3)`;

const list = orderedList<Delivery>({
  name: 'webhook_deliveries_list',
  columns,
  from: `webhook_deliveries d where ${conditions}`,
  valueCount: 3,
  key: { column: 'd.created_at', kind: 'time', of: (delivery) => delivery.createdAt },
  id: { column: 'd.id', of: ({ id }) => id },
});

const count = {
  name: 'webhook_deliveries_count',
  text: `select count(*) as total from webhook_deliveries d where ${conditions}`,
};

/** What was sent, or is to be sent, to one of the caller's webhooks, newest first. @throws AppError `invalid_request`, `not_found` */
export async function listDeliveries(ctx: Ctx, webhookId: string, input: unknown): Promise<Page<Delivery>> {
  const { status, eventType, ...page } = parseInput(listDeliveriesInput, input);
  const { id } = await getWebhook(ctx, webhookId);
  const filter = [id, status ?? null, eventType ?? null];
  return withTotal(ctx, readSlice(ctx, list, filter, page), page, count, filter);
}

const select = {
  name: 'webhook_delivery_get',
  text: `select ${columns} from webhook_deliveries d where d.webhook_id = $1 and d.id = $2`,
};

// A row that somebody holds is on its way already. The attempts of before do not count for the new round.
const again = `
  status = 'pending', due_at = $2, finished_at = null,
  earlier_attempt_count = case when status = 'pending' then earlier_attempt_count else attempt_count end`;

const sendAgain = {
  name: 'webhook_delivery_again',
  text: `update webhook_deliveries set ${again} where id = $1 and lease_token is null`,
};

/**
 * Sends a delivery again, now, with the same event id and bytes and all its attempts anew; one that waits for a retry is
 * tried at once. @throws AppError `not_found`, `conflict` while the webhook is disabled
 */
export async function redeliver(ctx: Ctx, webhookId: string, deliveryId: string): Promise<Delivery> {
  return inTransaction(ctx, async (tx) => {
    const webhook = requireActive(await getWebhook(tx, webhookId));
    const delivery = await getDelivery(tx, webhook, deliveryId);
    await tx.sql(sendAgain, [delivery.id, tx.clock.now()]);
    wakeDispatcher(tx);
    return getDelivery(tx, webhook, deliveryId);
  });
}

const recover = {
  name: 'webhook_deliveries_recover',
  text: `
    with chosen as (
      select id from webhook_deliveries
      where webhook_id = $1 and created_at >= $3 and status in ('failed', 'skipped') order by created_at limit $4 for update
    )
    update webhook_deliveries set ${again} from chosen where webhook_deliveries.id = chosen.id`,
};

const countRecoverable = {
  name: 'webhook_deliveries_recoverable',
  text: `select count(*) as total from webhook_deliveries where webhook_id = $1 and created_at >= $2 and status in ('failed', 'skipped')`,
};

const recoverBatch = 5_000;

/**
 * Sends everything again that failed or was skipped and whose event is not older than `since`. Answers how many.
 * @throws AppError `invalid_request`, `not_found`, `conflict` while the webhook is disabled
 */
export async function recoverDeliveries(ctx: Ctx, webhookId: string, input: unknown): Promise<{ recovered: number }> {
  const { since } = parseInput(recoverDeliveriesInput, input);
  const { id } = requireActive(await getWebhook(ctx, webhookId));
  const [counted] = await ctx.sql<{ total: number }>(countRecoverable, [id, since]);
  const recovered = counted?.total ?? 0;
  for (let done = 0; done < recovered; done += recoverBatch)
    await ctx.sql(recover, [id, ctx.clock.now(), since, recoverBatch]);
  wakeDispatcher(ctx);
  return { recovered };
}

const insertTestEvent = {
  name: 'webhook_test_event',
  text: `
    insert into outbox_events (id, account_id, type, data, created_at, dispatched_at, only_webhook_id)
    values ($1, $2, $3, $4, $5, $5, $6)`,
};

const insertDelivery = {
  name: 'webhook_test_delivery',
  text: `
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at)
    values ($1, $2, $3, $4, 'pending', $5, $5)`,
};

/**
 * Sends an event with example data to this webhook alone, of any type, subscribed or not; without one, of the first
 * type that it is subscribed to. @throws AppError `invalid_request`, `not_found`, `conflict` while the webhook is disabled
 */
export async function sendTestEvent(ctx: Ctx, webhookId: string, input: unknown): Promise<Delivery> {
  const { eventType } = parseInput(testWebhookInput, input ?? {});
  return inTransaction(ctx, async (tx) => {
    const webhook = requireActive(await getWebhook(tx, webhookId));
    const type = eventType ?? webhook.events[0] ?? 'agent.created';
    const eventId = newId('event');
    const deliveryId = newId('delivery');
    const now = tx.clock.now();
    const data = JSON.stringify(toWire(eventCatalog[type].example));
    await tx.sql(insertTestEvent, [eventId, webhook.userId, type, data, now, webhook.id]);
    await tx.sql(insertDelivery, [deliveryId, webhook.id, eventId, type, now]);
    wakeDispatcher(tx);
    return getDelivery(tx, webhook, deliveryId);
  });
}

const wakeDispatcher = (ctx: Ctx): void => onCommitted(ctx, () => ctx.ports.tasks.wake(deliveriesKind));

async function getDelivery(ctx: Ctx, { id }: Webhook, deliveryId: string): Promise<Delivery> {
  const [delivery] = isId('delivery', deliveryId) ? await ctx.sql<Delivery>(select, [id, deliveryId]) : [];
  if (!delivery) throw notFound();
  return delivery;
}

function requireActive(webhook: Webhook): Webhook {
  if (webhook.active) return webhook;
  throw new AppError('conflict', { message: 'The webhook is disabled. Enable it first with `active: true`.' });
}
