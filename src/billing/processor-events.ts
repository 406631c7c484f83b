import type { Ctx } from '../core/ctx.ts';
import { purgeInBatches } from '../core/purge.ts';
import { enqueueTask } from '../core/tasks.ts';
import { inTransaction } from '../core/transaction.ts';
import { findUserOfCustomer } from './billing-accounts.ts';
import type { ProcessorEvent } from './payments.ports.ts';
import { syncAccount, syncTaskKind } from './sync-account.ts';
import { withinBudget } from './time-budget.ts';

const answerWithinMs = 2_000;
const lookAfterMs = 15_000;

/**
 * Takes a message of the processor. It is recorded once, with a task that looks at the account it is about; the look is
 * also made here when it is quick, so that what was paid holds when the sender goes on.
 * @throws AppError `invalid_request` when it is forged or old
 */
export async function receiveProcessorEvent(ctx: Ctx, rawBody: Buffer, signature: string): Promise<void> {
  const event = await ctx.ports.payments.readEvent(rawBody, signature);
  const userId = await inTransaction(ctx, (tx) => record(tx, event));
  if (!userId) return;
  try {
    await withinBudget(() => syncAccount(ctx, userId), answerWithinMs);
  } catch (error) {
    ctx.log.warn({ err: error, eventId: event.id }, 'the account of a processor event is looked at later');
  }
}

const insert = {
  name: 'processor_event_insert',
  text: `
    insert into processor_events (id, type, customer_id, created_at, received_at) values ($1, $2, $3, $4, $5)
    on conflict (id) do nothing returning 1 as recorded`,
};

/** Answers whose account is to be looked at: nobody's when the event was here before, or is about a stranger. */
async function record(tx: Ctx, { id, type, customerId, createdAt }: ProcessorEvent): Promise<string | null> {
  const now = tx.clock.now();
  const recorded = await tx.sql(insert, [id, type, customerId, createdAt, now]);
  if (recorded.length === 0 || customerId === null) return null;
  const userId = await findUserOfCustomer(tx, customerId);
  if (!userId) return null;
  await enqueueTask(tx, syncTaskKind, { userId }, { key: userId, runAt: new Date(now.getTime() + lookAfterMs) });
  return userId;
}

const keepMs = 30 * 86_400_000;
const purge = {
  name: 'purge_processor_events',
  text: `
    delete from processor_events where id in (
      select id from processor_events where received_at <= $1 order by received_at limit $2)
    returning 1`,
};

/** Forgets events that the processor will not send again. */
export const purgeProcessorEvents = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purge, new Date(ctx.clock.now().getTime() - keepMs), signal);
