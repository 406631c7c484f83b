import type pg from 'pg';

/** From this number of rows on, rebuilding the indexes afterwards is faster. */
export const largeFill = 100_000;

/** Drops the indexes and records their definitions, in one transaction. Earlier records stay. */
export async function dropIndexes(db: pg.ClientBase, names: readonly string[]): Promise<void> {
  await db.query('begin');
  const { rows } = await db.query<{ name: string }>(
    `insert into seed.late_indexes (name, definition)
     select indexname, indexdef from pg_indexes where schemaname = current_schema() and indexname = any ($1)
     on conflict do nothing returning name`,
    [names],
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  await db.query('commit');
}

/** Rebuilds the indexes that a fill dropped, even one that was interrupted. */
export async function buildIndexes(db: pg.ClientBase): Promise<void> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select name, definition from seed.late_indexes`,
  );
  for (const { name, definition } of rows) {
    await db.query('begin');
    await db.query(definition);
    await db.query('delete from seed.late_indexes where name = $1', [name]);
    await db.query('commit');
  }
}
