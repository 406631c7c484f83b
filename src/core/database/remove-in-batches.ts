import type { Ctx } from '../ctx.ts';
import type { TaskRun } from '../tasks/task-handler.ts';
import type { Statement } from './sql.ts';

/** Statement that deletes at most `batchSize` rows that belong to owner `$1` and returns one row for each. */
export interface BatchRemoval extends Statement {
  batchSize: number;
}

interface RowsOf {
  /** Name of the statement. */
  name: string;
  table: string;
  /** Column of the owner's id. It must be the first column of an index. */
  column: string;
  batchSize: number;
}

/** Creates the statement that removes the rows of a table that belong to one owner. */
export const removalOf = ({ name, table, column, batchSize }: RowsOf): BatchRemoval => ({
  name,
  text: `
    delete from ${table} where ctid = any (array(select ctid from ${table} where ${column} = $1 limit ${batchSize}))
    returning 1`,
  batchSize,
});

/**
 * Removes everything that belongs to a deleted owner, one table after another, in many short transactions. The task
 * extends its lease between batches. Safe to repeat after a crash.
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
