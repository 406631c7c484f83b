import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { refusal } from '../../core/database/database-errors.ts';
import { sendSql, translateFailure } from '../../core/database/transaction.ts';
import { AppError } from '../../core/errors.ts';

const dayMs = 86_400_000;
/** Largest value of the integer column. */
export const unlimited = 2_147_483_647;

/** Returns the UTC day of a time as `YYYY-MM-DD`. Daily quotas use UTC days. */
export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10);

const reserve = {
  name: 'quota_reserve',
  text: `
    insert into usage_counters as u (user_id, day, messages) values ($1, $2, 1)
    on conflict (user_id, day) do update set messages = u.messages + 1 where u.messages < $3
    returning messages`,
};

/**
 * Charges one message to the user's daily quota at `now`, in the transaction that accepts it. A single statement, so
 * that any number of concurrent sends admit exactly what is left.
 * @throws AppError `rate_limited` until UTC midnight
 */
export async function reserveMessage(ctx: Ctx, userId: string, plan: Plan, now: Date): Promise<void> {
  const limit = ctx.catalog.planLimits.messagesPerDay[plan];
  const rows = await ctx.sql(reserve, [userId, utcDay(now), Math.min(limit, unlimited)]);
  if (rows.length === 0) throw quotaExceeded(limit, now);
}

const charge = {
  name: 'quota_charge',
  text: `
    insert into usage_counters as u (user_id, day, messages) values ($1, $2, 1)
    on conflict (user_id, day) do update
      set messages = case when u.messages < $3 then u.messages + 1 else refuse('messages_a_day')::integer end`,
};

/**
 * Does the same as `reserveMessage` without waiting for the result: the transaction fails with its error. The counter,
 * for which all sends of the account wait, is then locked only while PostgreSQL commits.
 */
export function sendCharge(tx: Ctx, userId: string, plan: Plan, now: Date): Promise<void> {
  const limit = tx.catalog.planLimits.messagesPerDay[plan];
  translateFailure(tx, (error) => (refusal(error) === 'messages_a_day' ? quotaExceeded(limit, now) : error));
  return sendSql(tx, charge, [userId, utcDay(now), Math.min(limit, unlimited)]);
}

const quotaExceeded = (limit: number, now: Date): AppError =>
  new AppError('rate_limited', {
    message: `Your plan allows ${limit} messages a day. The limit resets at midnight UTC.`,
    retryAfterSeconds: Math.ceil((dayMs - (now.getTime() % dayMs)) / 1000),
  });
