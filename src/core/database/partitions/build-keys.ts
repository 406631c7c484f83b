import type pg from 'pg';
import { inTransactionOf, withLocks } from './in-transaction.ts';
import { type AccountTable, foreignKeyClause, indexDefinition, schema, staging, suffixesOf } from './tables.ts';

/** Builds the indexes of the new table, first on each partition, which no other session reads yet. */
export async function buildIndexes(
  db: pg.ClientBase,
  { name, indexes }: AccountTable,
  partitions: number,
  say: (line: string) => void,
): Promise<void> {
  for (const index of indexes.filter(({ isPrimary }) => !isPrimary)) {
    if (await exists(db, `${staging}.${index.name}`)) continue;
    for (const suffix of suffixesOf(partitions)) {
      const partition = `${schema}.${name}${suffix}`;
      if (!(await exists(db, `${schema}.${index.name}${suffix}`)))
        await db.query(indexDefinition(index, partition, suffix));
    }
    await inTransactionOf(db, async () => {
      await db.query(indexDefinition(index, `only ${staging}.${name}`));
      for (const suffix of suffixesOf(partitions))
        await db.query(`alter index ${staging}.${index.name} attach partition ${schema}.${index.name}${suffix}`);
    });
    say(`${name}: built ${index.name}`);
  }
  await db.query(`analyze ${staging}.${name}`);
}

interface Parts {
  partitions: number;
  /** Tables that are partitioned together. */
  together: readonly string[];
}

/** Adds the foreign keys to the partitions without validating existing rows, so it locks the tables only briefly. */
export async function addForeignKeys(db: pg.ClientBase, table: AccountTable, parts: Parts): Promise<void> {
  for (const { partition, constraint, clause } of keysOfPartitions(table, parts))
    if (!(await hasConstraint(db, partition, constraint)))
      await withLocks(db, () => db.query(`alter table ${partition} add constraint ${constraint} ${clause} not valid`));
}

/** Validates the foreign keys on each partition without blocking writers, then adds them to the whole table. */
export async function validateForeignKeys(db: pg.ClientBase, table: AccountTable, parts: Parts): Promise<void> {
  for (const { partition, constraint } of keysOfPartitions(table, parts))
    await db.query(`alter table ${partition} validate constraint ${constraint}`);
  for (const key of table.foreignKeys) {
    const whole = `${staging}.${table.name}`;
    const clause = foreignKeyClause(key, parts.together, staging);
    if (!(await hasConstraint(db, whole, key.name)))
      await withLocks(db, () => db.query(`alter table ${whole} add constraint ${key.name} ${clause}`));
  }
}

const keysOfPartitions = ({ name, foreignKeys }: AccountTable, { partitions, together }: Parts) =>
  foreignKeys.flatMap((key) =>
    suffixesOf(partitions).map((suffix) => ({
      partition: `${schema}.${name}${suffix}`,
      constraint: `${key.name}${suffix}`,
      clause: foreignKeyClause(key, together, staging),
    })),
  );

async function exists(db: pg.ClientBase, relation: string): Promise<boolean> {
  const { rows } = await db.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [relation]);
  return rows[0]?.exists ?? false;
}

async function hasConstraint(db: pg.ClientBase, relation: string, name: string): Promise<boolean> {
  const { rows } = await db.query('select from pg_constraint where conrelid = $1::regclass and conname = $2', [
    relation,
    name,
  ]);
  return rows.length > 0;
}
