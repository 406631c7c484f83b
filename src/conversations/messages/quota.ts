import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';

const dayMs = 86_400_000;
/** The largest value of the column. */
export const unlimited = 2_147_483_647;

/** `YYYY-MM-DD` of the moment in UTC: the day that messages count against. */
export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10);

const reserve = {
  name: 'quota_reserve',
  text: `
    insert into usage_counters as u (user_id, day, messages) values ($1, $2, 1)
    on conflict (user_id, day) do update set messages = u.messages + 1 where u.messages < $3
    returning messages`,
};

/**
 * Counts one message against the user's day at `now`, in the transaction that accepts it. One statement, so that any
 * number of concurrent sends admit exactly what is left. @throws AppError `rate_limited` until UTC midnight
 */
export async function reserveMessage(ctx: Ctx, userId: string, plan: Plan, now: Date): Promise<void> {
  const limit = ctx.catalog.planLimits.messagesPerDay[plan];
  const rows = await ctx.sql(reserve, [userId, utcDay(now), Math.min(limit, unlimited)]);
  if (rows.length > 0) return;
  throw new AppError('rate_limited', {
    message: `Your plan allows ${limit} messages a day. The count starts again at midnight UTC.`,
    retryAfterSeconds: Math.ceil((dayMs - (now.getTime() % dayMs)) / 1000),
  });
}
