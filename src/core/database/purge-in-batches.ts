import type { Ctx } from '../ctx.ts';
import type { Expiry } from '../feature.ts';
import type { Statement } from './sql.ts';

const batchSize = 1_000;

/**
 * Repeats a deleting statement until it deletes less than a batch or `signal` fires: many short transactions instead of
 * a long one. The statement returns one row for each deleted row. Its last parameter is the batch size. Unless `before`
 * is null, it is the first parameter: older rows are deleted. Returns the number of deleted rows.
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

/** Returns the time `ms` ago in business time, which retention periods use. */
export const ago = (ctx: Pick<Ctx, 'clock'>, ms: number): Date => new Date(ctx.clock.now().getTime() - ms);

/** An expiry that consists of one deleting statement. */
interface RowExpiry {
  name: string;
  /** Has the form that `purgeInBatches` requires. */
  statement: Statement;
  /** How long rows are kept, in business time. Omit it when the statement compares with `now()` itself. */
  keepMs?: number;
}

/** Creates an expiry that deletes rows after their retention period. */
export const rowExpiry = (expiry: RowExpiry): RowExpiry & Expiry => ({
  ...expiry,
  remove: (ctx, signal) =>
    purgeInBatches(ctx, expiry.statement, expiry.keepMs === undefined ? null : ago(ctx, expiry.keepMs), signal),
});
