import type { Ctx } from '../../core/ctx.ts';
import { rowExpiry } from '../../core/database/purge-in-batches.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { findUserOfCustomer } from '../billing-accounts.ts';
import type { ProcessorEvent } from '../payments.ports.ts';
import { syncAccount } from './sync-account.ts';
import { withinBudget } from './time-budget.ts';

const syncWithinMs = 2_000;
const retryAfterMs = 15_000;

/**
 * Accepts an event of the payment processor. It is recorded once, together with a task that syncs the account. The sync
 * is also attempted here, so that a payment usually takes effect before the processor receives the response.
 * @throws AppError `invalid_request` when it is forged or old
 */
export async function receiveProcessorEvent(ctx: Ctx, rawBody: Buffer, signature: string): Promise<void> {
  const event = await ctx.ports.payments.readEvent(rawBody, signature);
  const userId = await inTransaction(ctx, (tx) => record(tx, event));
  if (!userId) return;
  try {
    await withinBudget(() => syncAccount(ctx, userId), syncWithinMs);
  } catch (error) {
    ctx.log.warn(
      { err: error, eventId: event.id },
      'could not sync the account of a processor event, a task will retry',
    );
  }
}

// Plain SQL, because it claims the event.
const insert = {
  name: 'processor_event_insert',
  text: `
    insert into processor_events (id, type, customer_id, created_at, received_at) values ($1, $2, $3, $4, $5)
    on conflict (id) do nothing returning 1 as recorded`,
};

/**
 * Records an event. Returns the user whose account has to be synced; null for an event that was received before, or of
 * an unknown customer.
 */
async function record(tx: Ctx, { id, type, customerId, createdAt }: ProcessorEvent): Promise<string | null> {
  const recorded = await tx.sql(insert, [id, type, customerId, createdAt, tx.clock.now()]);
  if (recorded.length === 0 || customerId === null) return null;
  const userId = await findUserOfCustomer(tx, customerId);
  if (!userId) return null;
  await enqueueTask(tx, 'billing.sync', { userId }, { key: userId, delayMs: retryAfterMs });
  return userId;
}

const keepMs = 30 * 86_400_000;
/** Removes events after 30 days, because the processor resends an event for at most a month. */
export const processorEventExpiry = rowExpiry({
  name: 'processorEvents',
  keepMs,
  statement: {
    name: 'purge_processor_events',
    text: `
      delete from processor_events where id in (
        select id from processor_events where received_at <= $1 order by received_at limit $2)
      returning 1`,
  },
});
