import type { Plan } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { randomToken } from '../core/crypto.ts';
import type { Statement } from '../core/sql.ts';
import { enqueueTask } from '../core/tasks.ts';
import { syncTaskKind } from './sync-account.ts';

/** What was asked of the processor, written before it is asked, so that whoever asks again does so under the same key. */
export interface Intent {
  request: string;
  idempotencyKey: string;
  previousPlan: Plan | null;
  /** Of a checkout that was answered. */
  sessionId: string | null;
}

type Slot = 'checkout' | 'subscription';

// The processor forgets keys after 24 hours.
const keyLifeMs = 23 * 3_600_000;
const lookAfterMs = 60_000;

const select = {
  name: 'billing_intent',
  text: `
    select request, idempotency_key as "idempotencyKey", previous_plan as "previousPlan", session_id as "sessionId"
    from billing_intents where user_id = $1 and slot = $2 and (created_at > $3 or session_id is not null)`,
};
const selectLocked = { name: 'billing_intent_lock', text: `${select.text} for update` };
const put = {
  name: 'billing_intent_put',
  text: `
    insert into billing_intents (user_id, slot, request, idempotency_key, previous_plan, created_at)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (user_id, slot) do update set request = $3, idempotency_key = $4, previous_plan = $5, session_id = null,
      created_at = $6`,
};

/** The request that is under way or, of checkouts, the last that was answered. */
export const findIntent = (ctx: Ctx, userId: string, slot: Slot): Promise<Intent | null> =>
  read(ctx, select, userId, slot);

/** The same, locked, so that an answer which is being noted is either seen or waits. */
export const lockIntent = (tx: Ctx, userId: string, slot: Slot): Promise<Intent | null> =>
  read(tx, selectLocked, userId, slot);

async function read(ctx: Ctx, statement: Statement, userId: string, slot: Slot): Promise<Intent | null> {
  const since = new Date(ctx.clock.now().getTime() - keyLifeMs);
  const [intent] = await ctx.sql<Intent>(statement, [userId, slot, since]);
  return intent ?? null;
}

/**
 * Notes a request in the place of the last one, with a look at the processor to follow in case we do not live to see its
 * answer. Call it in a transaction that holds the user's row.
 */
export async function putIntent(
  ctx: Ctx,
  userId: string,
  slot: Slot,
  request: string,
  previousPlan: Plan | null,
): Promise<Intent> {
  const now = ctx.clock.now();
  const idempotencyKey = `${slot}-${userId}-${randomToken(12)}`;
  await ctx.sql(put, [userId, slot, request, idempotencyKey, previousPlan, now]);
  await enqueueTask(ctx, syncTaskKind, { userId }, { key: userId, runAt: new Date(now.getTime() + lookAfterMs) });
  return { request, idempotencyKey, previousPlan, sessionId: null };
}

const drop = {
  name: 'billing_intent_drop',
  text: 'delete from billing_intents where user_id = $1 and idempotency_key = $2',
};

/** The request is done, or refused for good: the next one is a new one. */
export async function dropIntent(ctx: Ctx, userId: string, intent: Intent): Promise<void> {
  await ctx.sql(drop, [userId, intent.idempotencyKey]);
}

/** Runs the call that an intent is for. A refusal ends the intent; silence does not, so that the same key is tried again. */
export async function underIntent<T>(ctx: Ctx, userId: string, intent: Intent, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') await dropIntent(ctx, userId, intent);
    throw error;
  }
}
