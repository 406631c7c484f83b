import type { Ctx } from '../ctx.ts';
import { beforeNow } from './database-time.ts';
import type { Statement } from './sql.ts';

const batchSize = 1_000;
const keepFailedTasksMs = 30 * 24 * 3_600_000;

/**
 * Runs a deleting statement until it deletes less than a batch or `signal` fires: many short transactions instead of a
 * long one. The statement returns a row for each deleted one; its last parameter is the size of a batch, and `before`,
 * unless null, its first one: older rows are deleted. Returns the number of deleted rows.
 */
export async function purgeInBatches(
  ctx: Ctx,
  statement: Statement,
  before: Date | null,
  signal: AbortSignal,
): Promise<number> {
  for (let purged = 0; ;) {
    signal.throwIfAborted();
    const gone = await ctx.sql(statement, before ? [before, batchSize] : [batchSize]);
    purged += gone.length;
    if (gone.length < batchSize) return purged;
  }
}

/** The moment `ms` ago in business time, which retentions are counted in. */
export const ago = (ctx: Pick<Ctx, 'clock'>, ms: number): Date => new Date(ctx.clock.now().getTime() - ms);

const purgeIdempotencyKeys = {
  name: 'purge_idempotency_keys',
  text: `
    delete from idempotency_keys where (user_id, key, method, path) in (
      select user_id, key, method, path from idempotency_keys where expires_at <= now() order by expires_at limit $1)
    returning 1`,
};

/** Deletes stored answers that have expired. */
export const purgeExpiredIdempotencyKeys = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeIdempotencyKeys, null, signal);

const purgeTasks = {
  name: 'purge_tasks',
  text: `
    delete from tasks where id in (
      select id from tasks where state = 'failed' and finished_at <= ${beforeNow(keepFailedTasksMs)}
      order by finished_at limit $1)
    returning 1`,
};

/** Deletes tasks that failed for good thirty days ago. */
export const purgeFailedTasks = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeTasks, null, signal);

const purgeRateLimits = {
  name: 'purge_rate_limit_counters',
  text: `
    delete from rate_limits where key in (
      select key from rate_limits where expire <= (extract(epoch from now()) * 1000)::bigint limit $1)
    returning 1`,
};

/** Deletes the counters of windows that have ended. */
export const purgeExpiredRateLimits = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeRateLimits, null, signal);
