import type pg from 'pg';
import { sqlState } from '../database-errors.ts';
import { inTransactionOf } from './in-transaction.ts';
import { account, type AccountTable, staging } from './tables.ts';

const batchSize = 5_000;
const foreignKeyViolation = '23503';

interface Keys {
  ids: string[];
  accounts: string[];
}

/**
 * Applies the recorded changes of at most 5,000 rows, in the caller's transaction: copies the current state of each
 * row. Returns the number of recorded changes that were applied.
 */
export async function replayBatch(db: pg.ClientBase, { name, columns, references }: AccountTable): Promise<number> {
  const { rows, rowCount } = await db.query<{ id: string; user: string }>(
    `delete from ${staging}.${name}_changes where seq in (
       select seq from ${staging}.${name}_changes order by seq limit ${batchSize})
     returning id, ${account} as "user"`,
  );
  const accounts = new Map(rows.map(({ id, user }) => [id, user]));
  const keys: Keys = { ids: [...accounts.keys()], accounts: [...accounts.values()] };
  // Referenced rows are updated in place, because deleting them would cascade to the rows that reference them.
  const isReferenced = references.some((key) => key.hasAccount);
  await db.query(
    `delete from ${staging}.${name} n using unnest($1::text[], $2::text[]) as k (id, ${account})
     where n.${account} = k.${account} and n.id = k.id
       ${isReferenced ? `and not exists (select from public.${name} o where o.id = k.id)` : ''}`,
    [keys.ids, keys.accounts],
  );
  const list = columns.join(', ');
  await db.query(
    `insert into ${staging}.${name} (${list}) select ${list} from public.${name} where id = any ($1) order by id
     on conflict (${account}, id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    [keys.ids],
  );
  return rowCount ?? 0;
}

/** Replays the recorded changes of the tables, in the order of `tables`, until fewer than a batch remain. */
export async function replayChanges(db: pg.ClientBase, tables: readonly AccountTable[]): Promise<void> {
  for (let left = batchSize; left >= batchSize;) {
    left = 0;
    for (const table of tables) left = Math.max(left, await replayOnce(db, table));
  }
}

/**
 * A row can reference one that was added to another table after the changes of that table were replayed. Such a batch
 * is left for the next pass.
 */
async function replayOnce(db: pg.ClientBase, table: AccountTable): Promise<number> {
  try {
    return await inTransactionOf(db, () => replayBatch(db, table));
  } catch (error) {
    if (sqlState(error) !== foreignKeyViolation) throw error;
    return batchSize;
  }
}
