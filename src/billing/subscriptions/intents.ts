import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { randomToken } from '../../core/crypto.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { BillingIntent, type IntentSlot } from './billing-intent.entity.ts';

/** The fields of a request to the processor that callers use. */
export type Intent = Pick<BillingIntent, 'request' | 'idempotencyKey' | 'sessionId'>;

// Less than the 24 hours after which the processor forgets idempotency keys.
const keyLifeMs = 23 * 3_600_000;
const syncAfterMs = 60_000;

/** Returns the request that is in progress or, for checkouts, the last one with a response. */
export const findIntent = (ctx: Ctx, userId: string, slot: IntentSlot): Promise<Intent | null> =>
  ctx.em.findOne(BillingIntent, usable(ctx, userId, slot), { disableIdentityMap: true });

/** Returns the same request and locks it, so that a response that is being recorded is either seen or waited for. */
export const lockIntent = (tx: Ctx, userId: string, slot: IntentSlot): Promise<Intent | null> =>
  tx.em.findOne(BillingIntent, usable(tx, userId, slot), { lockMode: LockMode.PESSIMISTIC_WRITE });

const usable = (ctx: Ctx, userId: string, slot: IntentSlot) => ({
  userId,
  slot,
  $or: [{ createdAt: { $gt: new Date(ctx.clock.now().getTime() - keyLifeMs) } }, { sessionId: { $ne: null } }],
});

/**
 * Stores a request, which replaces the previous one, and schedules a sync in case this process dies before it receives
 * the response. Call it in a transaction that holds the user's row.
 */
export async function putIntent(tx: Ctx, userId: string, slot: IntentSlot, request: string): Promise<Intent> {
  const idempotencyKey = `${slot}-${userId}-${randomToken(12)}`;
  const intent = { request, idempotencyKey, sessionId: null };
  await tx.em.upsert(BillingIntent, { userId, slot, ...intent, createdAt: tx.clock.now() });
  await enqueueTask(tx, 'billing.sync', { userId }, { key: userId, delayMs: syncAfterMs });
  return intent;
}

/** Removes a request that has completed or was rejected permanently. The next one is a new request. */
export async function dropIntent(ctx: Ctx, userId: string, { idempotencyKey }: Intent): Promise<void> {
  await ctx.em.nativeDelete(BillingIntent, { userId, idempotencyKey });
}

/**
 * Runs the call of an intent. A rejection removes the intent; a timeout keeps it, so that a retry uses the same key.
 */
export async function runIntent<T>(ctx: Ctx, userId: string, intent: Intent, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') await dropIntent(ctx, userId, intent);
    throw error;
  }
}
