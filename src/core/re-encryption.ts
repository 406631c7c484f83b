import type { Ctx } from './ctx.ts';
import { type EncryptedColumn, reEncrypt } from './database/re-encrypt.ts';
import { inTransaction } from './database/transaction.ts';
import { firstKey, type KeyRange, listRanges } from './tasks/key-ranges.ts';
import type { TaskRun } from './tasks/task-handler.ts';
import { enqueueTask, enqueueTasks } from './tasks/tasks.ts';

/** A range of rows of a column that one task re-encrypts. */
export interface ColumnRange extends KeyRange {
  /** Name of the column in the form of `nameOf`. */
  column: string;
}

/** The rest of a column that has not been split into ranges yet. */
export type ColumnRest = Pick<ColumnRange, 'column' | 'after'>;

const rangeSize = 5_000;

/**
 * Starts re-encryption of every column, or continues to split one column. A column with few rows is re-encrypted
 * immediately; the ranges of a larger one become tasks that all workers share. A range that is waiting already is not
 * enqueued twice.
 */
export async function startReEncryption(ctx: Ctx, rest: Partial<ColumnRest>, run: TaskRun): Promise<void> {
  if (rest.column !== undefined) return splitColumn(ctx, columnOf(ctx, rest.column), rest.after, run);
  for (const column of ctx.catalog.encryptedColumns) {
    await splitColumn(ctx, column, undefined, run);
    await run.heartbeat();
  }
}

async function splitColumn(
  ctx: Ctx,
  column: EncryptedColumn | undefined,
  after: string[] | undefined,
  run: TaskRun,
): Promise<void> {
  if (!column) return;
  const name = nameOf(column);
  const { ranges, rest } = await listRanges(ctx, column, { after: after ?? firstKey(column), size: rangeSize });
  const [only] = ranges;
  if (only && ranges.length === 1 && !rest) return reEncryptRange(ctx, { column: name, ...only }, run);
  await inTransaction(ctx, async (tx) => {
    const tasks = ranges.map((range) => ({ key: keyOf(name, range.after), payload: { column: name, ...range } }));
    await enqueueTasks(tx, 'service.re-encrypt-range', tasks);
    if (rest) await enqueueTask(tx, 'service.re-encrypt', { column: name, after: rest }, { key: keyOf(name, rest) });
  });
}

/** Re-encrypts the values of a range with the newest key. */
export async function reEncryptRange(ctx: Ctx, { column: name, ...range }: ColumnRange, run: TaskRun): Promise<void> {
  const column = columnOf(ctx, name);
  if (!column) return;
  const counts = { column: name, ...(await reEncrypt(ctx, column, range, run)) };
  if (counts.reEncrypted + counts.changed > 0) ctx.log.info(counts, 'encrypted older values with the newest key');
  if (counts.unreadable > 0)
    ctx.log.warn(counts, 'some values are encrypted with a key that is missing from ENCRYPTION_KEYS');
}

const nameOf = ({ table, column }: EncryptedColumn): string => `${table}.${column}`;
const keyOf = (name: string, after: readonly string[]): string => [name, ...after].join(' ');

/** Returns undefined for a column that an upgrade has removed. */
const columnOf = (ctx: Ctx, name: string): EncryptedColumn | undefined =>
  ctx.catalog.encryptedColumns.find((column) => nameOf(column) === name);
