import { callerId } from '../accounts/caller.ts';
import { utcDay } from '../conversations/messages/quota.ts';
import { AppError } from '../core/errors.ts';
import type { Ctx } from '../core/ctx.ts';
import { rowExpiry } from '../core/database/purge-in-batches.ts';
import { refusal } from '../core/database/database-errors.ts';
import { inTransaction, sendSql, translateFailure } from '../core/database/transaction.ts';
import { openCase } from '../moderation/cases.ts';

const maxWritesPerDay = 1_000;
const maxFollowsPerDay = 400;
const maxCopiesPerDay = 100;
const dayMs = 86_400_000;
const keepMs = 2 * dayMs;

const countOne = {
  name: 'social_count_write',
  text: `
    insert into social_days as d (user_id, day, writes) values ($1, $2, 1)
    on conflict (user_id, day) do update
      set writes = case when d.writes < ${maxWritesPerDay} then d.writes + 1 else refuse('social_writes_a_day')::integer end`,
};
/**
 * Returns a statement that counts one write for each user in `from` and returns the users who are within the daily
 * limit.
 */
export const countWrites = (from: string, day: string): string => `
  insert into social_days as d (user_id, day, writes) select user_id, ${day}, 1 from ${from} order by user_id
  on conflict (user_id, day) do update set writes = d.writes + 1 where d.writes < ${maxWritesPerDay}
  returning user_id`;

const countOneFollow = {
  name: 'social_count_follow',
  text: `
    update social_days set follows = follows + 1 where user_id = $1 and day = $2 and follows < ${maxFollowsPerDay}
    returning follows`,
};
const countOneCopy = {
  name: 'social_count_copy',
  text: `
    update social_days set copies = copies + 1 where user_id = $1 and day = $2 and copies < ${maxCopiesPerDay}
    returning copies`,
};

/**
 * Counts a write of the caller against the daily limit (UTC). Does not wait for the result: when the limit is exceeded,
 * the transaction fails. Call it first in the transaction: its row lock serializes the writes of an account.
 * @throws AppError `rate_limited` until midnight UTC
 */
export function countWrite(tx: Ctx): Promise<void> {
  const now = tx.clock.now();
  translateFailure(tx, (error) => (refusal(error) === 'social_writes_a_day' ? tooManyWrites(now) : error));
  return sendSql(tx, countOne, [callerId(tx), utcDay(now)]);
}

/**
 * Counts a new follow. Call it after `countWrite`, which creates the row.
 * @throws AppError `rate_limited` until midnight UTC
 */
export async function countFollow(tx: Ctx): Promise<void> {
  const now = tx.clock.now();
  if ((await tx.sql(countOneFollow, [callerId(tx), utcDay(now)])).length === 0)
    throw overDay(now, `You can follow ${maxFollowsPerDay} people a day.`);
}

/**
 * Counts a copy of a shared conversation, which may be large. Call it after `countWrite`, which creates the row.
 * @throws AppError `rate_limited` until midnight UTC
 */
export async function countCopy(tx: Ctx): Promise<void> {
  const now = tx.clock.now();
  if ((await tx.sql(countOneCopy, [callerId(tx), utcDay(now)])).length === 0)
    throw overDay(now, `You can continue ${maxCopiesPerDay} shared conversations a day.`);
}

const hourSeconds = 3_600;

/**
 * Counts an attempt to follow, including attempts that are refused later. Exceeding the hourly limit suggests a bot and
 * opens a moderation case. Call it outside of the transaction, because a rollback would undo the count.
 * @throws AppError `rate_limited`
 */
export async function countFollowAttempt(ctx: Ctx): Promise<void> {
  const userId = callerId(ctx);
  const { followsPerHour } = ctx.config.rateLimits;
  const { retryAfterSeconds } = await ctx.ports.rateLimits.consume(`follows:${userId}`, followsPerHour, hourSeconds);
  if (retryAfterSeconds === null) return;
  const subject = { type: 'user', id: userId, authorId: userId } as const;
  await inTransaction(ctx, (tx) => openCase(tx, subject, { marks: ['follow_spam'] }));
  throw new AppError('rate_limited', { retryAfterSeconds });
}

/** Returns the error for an account that exceeded the daily limit of writes. */
export const tooManyWrites = (now: Date): AppError =>
  overDay(
    now,
    `You can like, follow, block, mute, share and continue shares ${maxWritesPerDay.toLocaleString('en')} times a day.`,
  );

const overDay = (now: Date, message: string): AppError =>
  new AppError('rate_limited', {
    message: `${message} The count starts again at midnight UTC.`,
    retryAfterSeconds: Math.ceil((dayMs - (now.getTime() % dayMs)) / 1_000),
  });

/** Deletes the counts of past days. */
export const dayExpiry = rowExpiry({
  name: 'socialDays',
  keepMs,
  statement: {
    name: 'social_days_purge',
    text: `
      delete from social_days where ctid = any (array(select ctid from social_days where day < $1::timestamptz::date limit $2))
      returning 1`,
  },
});
