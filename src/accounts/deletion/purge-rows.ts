import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { Sql, Statement } from '../../core/database/sql.ts';
import { inTransaction } from '../../core/database/transaction.ts';

interface Reference {
  child: string;
  childColumn: string;
  /** Primary key of the child. */
  childKey: string[];
  parent: string;
  parentColumn: string;
}

const references: Statement = {
  name: 'purge_references',
  text: `
    select con.conrelid::regclass::text as child, quote_ident(a.attname) as "childColumn",
      con.confrelid::regclass::text as parent, quote_ident(fa.attname) as "parentColumn", array(
        select quote_ident(k.attname) from pg_index i
        cross join unnest(i.indkey::int2[]) with ordinality as n (number, position)
        join pg_attribute k on k.attrelid = i.indrelid and k.attnum = n.number
        where i.indrelid = con.conrelid and i.indisprimary order by n.position) as "childKey"
    from pg_constraint con
    join pg_attribute a on a.attrelid = con.conrelid and a.attnum = con.conkey[1]
    join pg_attribute fa on fa.attrelid = con.confrelid and fa.attnum = con.confkey[1]
    where con.contype = 'f' and con.confdeltype = 'c' and cardinality(con.conkey) = 1 and con.conparentid = 0
      and con.connamespace = 'public'::regnamespace
    order by 1, 2`,
};

const batchSize = 500;

/** Deletes at most `batchSize` rows of a table that lead to the user $1. */
interface Deletion {
  table: string;
  /** Tables from `users` to this one, each of which references the one before. */
  path: readonly string[];
  statement: Statement;
}

/**
 * Deletes the rows that reference a user's row, leaves first and in small transactions, so that no statement takes
 * long. The foreign keys of the schema determine these rows, so a new table cannot be missed. `onBatch` runs in the
 * transaction of each batch.
 */
export async function purgeRows(
  ctx: Ctx,
  userId: string,
  onBatch: (tx: Ctx, table: string, count: number) => Promise<void>,
): Promise<void> {
  for (const { table, statement } of await readDeletions(ctx.sql)) {
    for (let count = batchSize; count === batchSize;) {
      count = await inTransaction(ctx, async (tx) => {
        const gone = (await tx.sql(statement, [userId])).length;
        if (gone > 0) await onBatch(tx, table, gone);
        return gone;
      });
    }
  }
}

/**
 * Returns a deletion for each path of foreign keys to `users`. All deletions of a table come before those of the tables
 * that it references, and of one table the shortest path first: it finds most rows by an index of the account.
 */
export async function readDeletions(sql: Sql): Promise<Deletion[]> {
  const all = await sql<Reference>(references);
  const found: Deletion[] = [];
  const seen = new Set<string>();
  const follow = (parent: string, condition: string | null, path: readonly string[]): void => {
    for (const { child, childColumn, childKey, parentColumn } of all.filter((one) => one.parent === parent)) {
      if (path.includes(child)) continue;
      const where =
        condition === null
          ? `${childColumn} = $1`
          : `${childColumn} in (select ${parentColumn} from ${parent} where ${condition})`;
      // The primary key of a partitioned table contains its partition key, so that each row is read from its partition.
      const key = childKey.join(', ');
      const text = `
        delete from ${child} where (${key}) in (select ${key} from ${child} where ${where} limit ${batchSize})
        returning 1`;
      if (seen.has(text)) continue;
      seen.add(text);
      const name = `purge_${sha256(text).toString('hex').slice(0, 20)}`;
      const longer = [...path, child];
      found.push({ table: child, path: longer, statement: { name, text } });
      follow(child, where, longer);
    }
  };
  follow('users', null, ['users']);
  const depths = new Map<string, number>();
  for (const { table, path } of found) depths.set(table, Math.max(depths.get(table) ?? 0, path.length));
  const depthOf = ({ table }: Deletion): number => depths.get(table) ?? 0;
  return found.toSorted((a, b) => depthOf(b) - depthOf(a) || a.path.length - b.path.length);
}
