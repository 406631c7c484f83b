import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { Statement } from '../../core/database/sql.ts';
import { inTransaction } from '../../core/database/transaction.ts';

interface Reference {
  child: string;
  childColumn: string;
  parent: string;
  parentColumn: string;
}

const references: Statement = {
  name: 'purge_references',
  text: `
    select con.conrelid::regclass::text as child, quote_ident(a.attname) as "childColumn",
      con.confrelid::regclass::text as parent, quote_ident(fa.attname) as "parentColumn"
    from pg_constraint con
    join pg_attribute a on a.attrelid = con.conrelid and a.attnum = con.conkey[1]
    join pg_attribute fa on fa.attrelid = con.confrelid and fa.attnum = con.confkey[1]
    where con.contype = 'f' and con.confdeltype = 'c' and cardinality(con.conkey) = 1 and con.conparentid = 0
      and con.connamespace = 'public'::regnamespace
    order by 1, 2`,
};

const batchSize = 500;

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
  for (const { table, statement } of deletions(await ctx.sql<Reference>(references))) {
    for (let count = batchSize; count === batchSize;) {
      count = await inTransaction(ctx, async (tx) => {
        const gone = (await tx.sql(statement, [userId, batchSize])).length;
        if (gone > 0) await onBatch(tx, table, gone);
        return gone;
      });
    }
  }
}

/** Returns a deletion for each path of foreign keys to `users`, longest paths first. */
function deletions(all: readonly Reference[]): { table: string; statement: Statement }[] {
  const found: { table: string; depth: number; statement: Statement }[] = [];
  const seen = new Set<string>();
  const follow = (parent: string, condition: string | null, path: readonly string[]): void => {
    for (const { child, childColumn, parentColumn } of all.filter((reference) => reference.parent === parent)) {
      if (path.includes(child)) continue;
      const where =
        condition === null
          ? `${childColumn} = $1`
          : `${childColumn} in (select ${parentColumn} from ${parent} where ${condition})`;
      // A ctid is unique only within a partition, so the partition is compared too.
      const text = `
        delete from ${child} where (tableoid, ctid) in (select tableoid, ctid from ${child} where ${where} limit $2)
        returning 1`;
      if (seen.has(text)) continue;
      seen.add(text);
      const name = `purge_${sha256(text).toString('hex').slice(0, 20)}`;
      found.push({ table: child, depth: path.length, statement: { name, text } });
      follow(child, where, [...path, child]);
    }
  };
  follow('users', null, ['users']);
  return found.toSorted((a, b) => b.depth - a.depth);
}
