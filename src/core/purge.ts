import type { Ctx } from './ctx.ts';
import type { Statement } from './sql.ts';

const batchSize = 1_000;
const keepFailedTasksMs = 30 * 24 * 3_600_000;

/**
 * Runs a deleting statement ($1: what is older goes, $2: how many rows at most, answering a row for each) until there is
 * nothing left or `signal` fires: many short transactions instead of a long one. Answers how many rows went.
 */
export async function purgeInBatches(
  ctx: Ctx,
  statement: Statement,
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  for (let purged = 0; ;) {
    signal.throwIfAborted();
    const gone = await ctx.sql(statement, [before, batchSize]);
    purged += gone.length;
    if (gone.length < batchSize) return purged;
  }
}

const purgeIdempotencyKeys = {
  name: 'purge_idempotency_keys',
  text: `
    delete from idempotency_keys where (user_id, key, method, path) in (
      select user_id, key, method, path from idempotency_keys where expires_at <= $1 order by expires_at limit $2)
    returning 1`,
};

/** Forgets stored answers whose day is over. */
export const purgeExpiredIdempotencyKeys = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeIdempotencyKeys, ctx.clock.now(), signal);

const purgeTasks = {
  name: 'purge_tasks',
  text: `
    delete from tasks where id in (
      select id from tasks where state = 'failed' and finished_at <= $1 order by finished_at limit $2)
    returning 1`,
};

/** Forgets tasks that were given up thirty days ago. */
export const purgeFailedTasks = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeTasks, new Date(ctx.clock.now().getTime() - keepFailedTasksMs), signal);

// The counters run on the time of the machine, whatever the clock of the house says.
const purgeRateLimits = {
  name: 'purge_rate_limit_counters',
  text: `
    delete from rate_limits where key in (
      select key from rate_limits where expire <= (extract(epoch from now()) * 1000)::bigint limit $2) and $1::timestamptz is not null
    returning 1`,
};

/** Forgets the counters of windows that are over. Answers how many rows went. */
export const purgeExpiredRateLimits = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeRateLimits, ctx.clock.now(), signal);
