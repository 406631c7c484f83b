import type pg from 'pg';
import { StartError } from '../../process/start-error.ts';
import { withLocks } from './in-transaction.ts';
import { replayBatch, replayChanges } from './replay-changes.ts';
import { type AccountTable, describeTable, type ForeignKey, foreignKeyClause, schema, staging } from './tables.ts';

/** Returns the name of an original table in the schema of the partitions after it was replaced. */
export const beforeName = (name: string): string => `${name}_before`;

/**
 * Replaces the original tables with the new ones in one transaction, after it has applied all remaining changes.
 * Returns how long writers had to wait, in milliseconds.
 */
export async function swapTables(db: pg.ClientBase, tables: readonly AccountTable[]): Promise<number> {
  const together = tables.map(({ name }) => name);
  const references = tables.flatMap((table) => table.references).filter(({ table }) => !together.includes(table));
  let lockedMs = 0;
  await db.query('set synchronous_commit = on');
  const swap = async () => {
    const locked = [...together, ...references.map(({ table }) => table)].map((name) => `public.${name}`);
    await db.query(`lock table ${locked.join(', ')} in access exclusive mode`);
    lockedMs = performance.now();
    for (const table of tables) {
      await requireSameColumns(db, table);
      while ((await replayBatch(db, table)) > 0);
    }
    for (const { name } of tables)
      await db.query(`
        drop trigger ${name}_note_change on public.${name};
        alter table public.${name} set schema ${schema};
        alter table ${schema}.${name} rename to ${beforeName(name)};
        alter table ${staging}.${name} set schema public`);
    for (const key of references) await redirect(db, key, together);
    await db.query(`drop schema ${staging} cascade`);
  };
  // Replaying before each attempt leaves few changes to apply while the tables are locked.
  await withLocks(db, swap, () => replayChanges(db, tables));
  return performance.now() - lockedMs;
}

/** Validates, without blocking writers, the foreign keys of other tables that the swap redirected to the new tables. */
export async function validateReferences(db: pg.ClientBase, names: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname::text as name from pg_constraint
     where contype = 'f' and not convalidated and conparentid = 0 and confrelid::regclass::text = any ($1)`,
    [names],
  );
  for (const { table, name } of rows) await db.query(`alter table ${table} validate constraint ${name}`);
}

async function requireSameColumns(db: pg.ClientBase, { name, columns }: AccountTable): Promise<void> {
  const now = (await describeTable(db, name)).columns;
  if (now.join() !== columns.join())
    throw new StartError(`A migration has changed the table ${name} meanwhile. Run this with --cancel, then again.`);
}

/**
 * Redirects a foreign key of another table to the new table. A table without an account column cannot have such a key,
 * so a trigger deletes its rows along with the ones that they reference, as the foreign key did.
 */
async function redirect(db: pg.ClientBase, key: ForeignKey, together: readonly string[]): Promise<void> {
  await db.query(`alter table public.${key.table} drop constraint ${key.name}`);
  if (key.hasAccount) {
    const clause = foreignKeyClause(key, together, 'public');
    await db.query(`alter table public.${key.table} add constraint ${key.name} ${clause} not valid`);
    return;
  }
  const remove = `${schema}.delete_${key.table}_of_${key.target}`;
  await db.query(`
    create or replace function ${remove}() returns trigger language plpgsql security definer
    set search_path = public, pg_temp as $$
    begin
      delete from ${key.table} where ${key.column} = old.${key.targetColumn};
      return null;
    end $$;
    create trigger ${key.target}_delete_${key.table} after delete on public.${key.target}
      for each row execute function ${remove}()`);
}
