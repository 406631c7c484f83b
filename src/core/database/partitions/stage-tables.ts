import type pg from 'pg';
import { account, type AccountTable, schema, staging, suffixesOf } from './tables.ts';

/** State that survives a killed process: each step is recorded in the transaction that completes it. */
const state = `
  create schema if not exists ${schema};
  create schema if not exists ${staging};
  create table if not exists ${staging}.progress (
    table_name text primary key,
    partitions integer not null,
    column_names text[] not null,
    -- The rows up to this id are copied, of those that there were at the beginning.
    copied_through text collate "C" not null default '',
    copy_until text collate "C",
    copied bigint not null default 0
  );
  -- The role that serves may not write here.
  create or replace function ${staging}.note_change() returns trigger language plpgsql security definer
  set search_path = ${staging}, pg_temp as $$
  begin
    execute format('insert into %I (id, ${account}) values ($1, $2)', tg_table_name || '_changes')
    using (case tg_op when 'DELETE' then old.id else new.id end), (case tg_op when 'DELETE' then old.${account} else new.${account} end);
    return null;
  end $$;`;

export interface Progress {
  partitions: number;
  columns: string[];
  copiedThrough: string;
  copyUntil: string | null;
  copied: number;
}

/** Returns the progress of a table; undefined when its conversion has not begun. */
export async function progressOf(db: pg.ClientBase, table: string): Promise<Progress | undefined> {
  const { rows: known } = await db.query<{ known: boolean }>(
    `select to_regclass('${staging}.progress') is not null as known`,
  );
  if (!known[0]?.known) return undefined;
  const { rows } = await db.query<Progress>(
    `select partitions, column_names as columns, copied_through as "copiedThrough", copy_until as "copyUntil",
       copied::float8 as copied
     from ${staging}.progress where table_name = $1`,
    [table],
  );
  return rows[0];
}

/**
 * Creates the empty partitioned table next to the original, and a trigger that records the key of each row that changes
 * from then on. Runs in the caller's transaction, which waits for writers of the table.
 */
export async function stageTable(db: pg.ClientBase, table: AccountTable, partitions: number): Promise<void> {
  const { name } = table;
  await db.query(state);
  await db.query(`
    create table ${staging}.${name}_changes (
      seq bigint generated always as identity primary key, id text collate "C" not null, ${account} text collate "C" not null
    );
    create table ${staging}.${name} (like public.${name} including defaults including constraints including storage)
      partition by hash (${account});
    alter table ${staging}.${name} add constraint ${name}_pkey primary key (id, ${account})`);
  for (const [remainder, suffix] of suffixesOf(partitions).entries())
    await db.query(`
      create table ${schema}.${name}${suffix} partition of ${staging}.${name}
        for values with (modulus ${partitions}, remainder ${remainder})`);
  await computeGenerated(db, table);
  await copyGrants(db, name);
  await db.query(`
    create trigger ${name}_note_change after insert or update or delete on public.${name}
      for each row execute function ${staging}.note_change()`);
  await db.query(`insert into ${staging}.progress (table_name, partitions, column_names) values ($1, $2, $3)`, [
    name,
    partitions,
    table.columns,
  ]);
}

/**
 * Creates a trigger in place of a generated column, so that copying keeps the stored value instead of computing it
 * again.
 */
async function computeGenerated(db: pg.ClientBase, { name, columns, generated }: AccountTable): Promise<void> {
  for (const { column, expression } of generated) {
    const set = `${schema}.set_${name}_${column}`;
    const sources = columns.filter((one) => one !== column && new RegExp(`\\b${one}\\b`).test(expression));
    const isChanged = sources.map((source) => `new.${source} is distinct from old.${source}`).join(' or ');
    await db.query(`
      create or replace function ${set}() returns trigger language plpgsql as $$
      begin
        new.${column} := (select ${expression} from (select new.*) as given);
        return new;
      end $$;
      create trigger ${name}_${column}_insert before insert on ${staging}.${name}
        for each row when (new.${column} is null) execute function ${set}();
      create trigger ${name}_${column}_update before update on ${staging}.${name}
        for each row when (${isChanged}) execute function ${set}()`);
  }
}

async function copyGrants(db: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await db.query<{ grant: string }>(
    `select format('grant %s on ${staging}.${name} to %s', g.privilege_type,
       case when g.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end) as grant
     from pg_class c cross join aclexplode(c.relacl) g
     where c.oid = ('public.' || $1)::regclass and g.grantee <> c.relowner`,
    [name],
  );
  for (const { grant } of rows) await db.query(grant);
}
