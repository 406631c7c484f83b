import { LockMode } from '@mikro-orm/core';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { randomToken } from '../../core/crypto.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { BillingIntent, type IntentSlot } from './billing-intent.entity.ts';

/** The parsed part of a request to the processor. */
export type Intent = Pick<BillingIntent, 'request' | 'idempotencyKey' | 'previousPlan' | 'sessionId'>;

// The processor forgets keys after 24 hours.
const keyLifeMs = 23 * 3_600_000;
const syncAfterMs = 60_000;

/** The request that is in progress or, of checkouts, the last that was answered. */
export const findIntent = (ctx: Ctx, userId: string, slot: IntentSlot): Promise<Intent | null> =>
  ctx.em.findOne(BillingIntent, usable(ctx, userId, slot), { disableIdentityMap: true });

/** The same, locked, so that an answer that is being recorded is either seen or waited for. */
export const lockIntent = (tx: Ctx, userId: string, slot: IntentSlot): Promise<Intent | null> =>
  tx.em.findOne(BillingIntent, usable(tx, userId, slot), { lockMode: LockMode.PESSIMISTIC_WRITE });

const usable = (ctx: Ctx, userId: string, slot: IntentSlot) => ({
  userId,
  slot,
  $or: [{ createdAt: { $gt: new Date(ctx.clock.now().getTime() - keyLifeMs) } }, { sessionId: { $ne: null } }],
});

/**
 * Records a request in place of the previous one and schedules a sync in case this process does not live to see the
 * answer. Call it in a transaction that holds the user's row.
 */
export async function putIntent(
  tx: Ctx,
  userId: string,
  slot: IntentSlot,
  request: string,
  previousPlan: Plan | null,
): Promise<Intent> {
  const idempotencyKey = `${slot}-${userId}-${randomToken(12)}`;
  const intent = { request, idempotencyKey, previousPlan, sessionId: null };
  await tx.em.upsert(BillingIntent, { userId, slot, ...intent, createdAt: tx.clock.now() });
  await enqueueTask(tx, 'billing.sync', { userId }, { key: userId, delayMs: syncAfterMs });
  return intent;
}

/** The request is done, or refused for good: the next one is a new one. */
export async function dropIntent(ctx: Ctx, userId: string, { idempotencyKey }: Intent): Promise<void> {
  await ctx.em.nativeDelete(BillingIntent, { userId, idempotencyKey });
}

/** Runs the call that an intent is for. A refusal drops the intent; a timeout keeps it, so that a retry uses the same key. */
export async function underIntent<T>(ctx: Ctx, userId: string, intent: Intent, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') await dropIntent(ctx, userId, intent);
    throw error;
  }
}
