import type { Ctx } from '../../core/ctx.ts';
import { fromNow } from '../../core/database/database-time.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { parseInput } from '../../core/input.ts';
import { recoverDeliveriesInput } from '../webhook.input.ts';
import { getActiveWebhook, getDelivery } from './deliveries.ts';
import { type Delivery, wakeDispatcher } from './delivery.ts';

// Attempts before the redelivery do not count towards the limit of the new round.
const newRound = `
  status = 'pending', due_at = ${fromNow(0)}, finished_at = null,
  earlier_attempt_count = case when status = 'pending' then earlier_attempt_count else attempt_count end`;

// A leased row is skipped, because it is being sent already.
const redeliverOne = {
  name: 'webhook_delivery_redeliver',
  text: `update webhook_deliveries set ${newRound} where id = $1 and created_at = $2 and lease_token is null`,
};

/**
 * Sends a delivery again immediately, with the same event id and body and a full round of attempts. A delivery that
 * waits for a retry is retried immediately.
 * @throws AppError `not_found`, `conflict` while the webhook is disabled
 */
export async function redeliver(ctx: Ctx, webhookId: string, deliveryId: string): Promise<Delivery> {
  return inTransaction(ctx, async (tx) => {
    const webhook = await getActiveWebhook(tx, webhookId);
    const { id, createdAt } = await getDelivery(tx, webhook, deliveryId);
    await tx.sql(redeliverOne, [id, createdAt]);
    wakeDispatcher(tx);
    return getDelivery(tx, webhook, deliveryId);
  });
}

// Pages by key, so that rows that fail again during the recovery are not selected twice.
const recover = {
  name: 'webhook_deliveries_recover',
  text: `
    with chosen as materialized (
      select id, created_at from webhook_deliveries
      where webhook_id = $1 and (created_at, id) > ($2, $3) and status in ('failed', 'skipped')
      order by created_at, id limit $4 for update
    )
    update webhook_deliveries d set ${newRound} from chosen c where d.id = c.id and d.created_at = c.created_at
    returning d.id, d.created_at as "createdAt"`,
};

const recoverBatch = 5_000;
/** Maximum number of batches per request. The caller continues with `nextSince`. */
const maxBatches = 4;

interface Key {
  id: string;
  createdAt: Date;
}

interface Recovery {
  recovered: number;
  /** Value of `since` for the next request; null when nothing is left. */
  nextSince: Date | null;
}

/**
 * Redelivers failed and skipped deliveries that were created at or after `since`, oldest first, at most 20,000. Each
 * batch is a statement of its own, so an error keeps the batches before it.
 * @throws AppError `invalid_request`, `not_found`, `conflict` while the webhook is disabled
 */
export async function recoverDeliveries(ctx: Ctx, webhookId: string, input: unknown): Promise<Recovery> {
  const { since } = parseInput(recoverDeliveriesInput, input);
  const { id } = await getActiveWebhook(ctx, webhookId);
  let recovered = 0;
  let last: Key = { id: '', createdAt: since };
  for (let i = 0; i < maxBatches; i++) {
    const batch = await ctx.sql<Key>(recover, [id, last.createdAt, last.id, recoverBatch]);
    last = batch.reduce((latest, key) => (isAfter(key, latest) ? key : latest), last);
    recovered += batch.length;
    wakeDispatcher(ctx);
    if (batch.length < recoverBatch) return { recovered, nextSince: null };
  }
  return { recovered, nextSince: last.createdAt };
}

const isAfter = (a: Key, b: Key): boolean =>
  a.createdAt > b.createdAt || (a.createdAt.getTime() === b.createdAt.getTime() && a.id > b.id);
