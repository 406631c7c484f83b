import type { Ctx } from '../ctx.ts';
import type { TaskRun } from '../tasks/task-handler.ts';
import type { Statement } from './sql.ts';

/** Deletes at most `batchSize` rows that belong to `$1`, and returns a row for each. */
export interface BatchRemoval extends Statement {
  batchSize: number;
}

interface RowsOf {
  /** Of the statement. */
  name: string;
  table: string;
  /** Column of the owner's id, which an index begins with. */
  column: string;
  batchSize: number;
}

/** The removal of the rows of a table that belong to one owner. */
export const removalOf = ({ name, table, column, batchSize }: RowsOf): BatchRemoval => ({
  name,
  text: `
    delete from ${table} where ctid = any (array(select ctid from ${table} where ${column} = $1 limit ${batchSize}))
    returning 1`,
  batchSize,
});

/**
 * Removes everything that belongs to a deleted owner, one table after the other, in many short transactions. Between two
 * batches the task extends its lease. Can be repeated after a crash.
 */
export async function removeInBatches(
  ctx: Ctx,
  removals: readonly BatchRemoval[],
  ownerId: string,
  run: TaskRun,
): Promise<void> {
  for (const removal of removals)
    while ((await ctx.sql(removal, [ownerId])).length === removal.batchSize) await run.heartbeat();
}
