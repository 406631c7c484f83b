import type { Ctx } from '../../core/ctx.ts';
import { fromNow } from '../../core/database/database-time.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { newId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { toWire } from '../../core/wire.ts';
import { testWebhookInput } from '../webhook.input.ts';
import { getActiveWebhook, getDelivery } from './deliveries.ts';
import { type Delivery, wakeDispatcher } from './delivery.ts';

// Both statements set their times in SQL, because the dispatcher compares them with the database's clock.
const insertEvent = {
  name: 'webhook_test_event',
  text: `
    insert into outbox_events (id, account_id, type, data, created_at, dispatched_at, only_webhook_id)
    values ($1, $2, $3, $4, now(), now(), $5)`,
};

const insertDelivery = {
  name: 'webhook_test_delivery',
  text: `
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at)
    values ($1, $2, $3, $4, 'pending', ${fromNow(0)}, ${fromNow(0)})`,
};

/**
 * Sends an event with example data to this webhook only. The event type need not be subscribed to; it defaults to the
 * first subscribed type.
 * @throws AppError `invalid_request`, `not_found`, `conflict` while the webhook is disabled
 */
export async function sendTestEvent(ctx: Ctx, webhookId: string, input: unknown): Promise<Delivery> {
  const { eventType } = parseInput(testWebhookInput(ctx.catalog.eventTypes), input ?? {});
  return inTransaction(ctx, async (tx) => {
    const webhook = await getActiveWebhook(tx, webhookId);
    const type = eventType ?? webhook.events[0] ?? 'agent.created';
    const eventId = newId('evt_');
    const deliveryId = newId('dlv_');
    const data = JSON.stringify(toWire(tx.catalog.events[type].example));
    await tx.sql(insertEvent, [eventId, webhook.userId, type, data, webhook.id]);
    await tx.sql(insertDelivery, [deliveryId, webhook.id, eventId, type]);
    wakeDispatcher(tx);
    return getDelivery(tx, webhook, deliveryId);
  });
}
