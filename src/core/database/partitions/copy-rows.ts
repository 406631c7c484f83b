import type pg from 'pg';
import { inTransactionOf } from './in-transaction.ts';
import { type Progress, progressOf } from './stage-tables.ts';
import { type AccountTable, staging } from './tables.ts';

const batchSize = 20_000;

/** Called after each batch with the number of rows copied so far. */
export type OnCopied = (copied: number) => void;

/**
 * Copies the rows that existed when change recording began, in the order of their ids. Each batch is a transaction that
 * also records its progress, so this resumes where an earlier run ended. Returns the number of copied rows.
 */
export async function copyRows(db: pg.ClientBase, table: AccountTable, onCopied: OnCopied): Promise<number> {
  await db.query(
    `update ${staging}.progress set copy_until = coalesce((select max(id) from public.${table.name}), '')
     where table_name = $1 and copy_until is null`,
    [table.name],
  );
  for (;;) {
    const progress = await progressOf(db, table.name);
    if (!progress || progress.copiedThrough >= (progress.copyUntil ?? '')) return progress?.copied ?? 0;
    onCopied(await inTransactionOf(db, () => copyBatch(db, table, progress)));
  }
}

async function copyBatch(
  db: pg.ClientBase,
  { name, columns }: AccountTable,
  { copiedThrough, copyUntil, copied }: Progress,
): Promise<number> {
  const { rows } = await db.query<{ id: string }>(
    `select id from public.${name} where id > $1 and id <= $2 order by id offset ${batchSize - 1} limit 1`,
    [copiedThrough, copyUntil],
  );
  const end = rows[0]?.id ?? copyUntil;
  const list = columns.join(', ');
  const { rowCount } = await db.query(
    `insert into ${staging}.${name} (${list}) select ${list} from public.${name} where id > $1 and id <= $2`,
    [copiedThrough, end],
  );
  const sum = copied + (rowCount ?? 0);
  await db.query(`update ${staging}.progress set copied_through = $2, copied = $3 where table_name = $1`, [
    name,
    end,
    sum,
  ]);
  return sum;
}
