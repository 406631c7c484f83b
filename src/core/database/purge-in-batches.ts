import type { Ctx } from '../ctx.ts';
import type { Expiry } from '../feature.ts';
import type { Statement } from './sql.ts';

const batchSize = 1_000;

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

/** An expiry that is one deleting statement. */
interface RowExpiry {
  name: string;
  /** Like that of `purgeInBatches`. */
  statement: Statement;
  /** How long after the moment in the row, in business time; omitted where the statement compares with `now()`. */
  keepMs?: number;
}

/** Deletes the rows that were kept for long enough. */
export const rowExpiry = (expiry: RowExpiry): RowExpiry & Expiry => ({
  ...expiry,
  remove: (ctx, signal) =>
    purgeInBatches(ctx, expiry.statement, expiry.keepMs === undefined ? null : ago(ctx, expiry.keepMs), signal),
});
