import type pg from 'pg';
import { StartError } from '../../process/start-error.ts';

/** Column of the account, which is the partition key. */
export const account = 'user_id';
/** Schema of the partitions, of their trigger functions and of the original tables after the swap. */
export const schema = 'partitions';
/** Schema of the new tables before the swap, and of the state of the conversion. */
export const staging = 'conversion';

/** A table whose rows belong to accounts, before it is partitioned. */
export interface AccountTable {
  name: string;
  columns: string[];
  /** Generated columns. */
  generated: { column: string; expression: string }[];
  indexes: { name: string; definition: string; isUnique: boolean; isPrimary: boolean }[];
  foreignKeys: ForeignKey[];
  /** Foreign keys of other tables that reference this table. */
  references: ForeignKey[];
}

export interface ForeignKey {
  name: string;
  /** The table that has the foreign key. `hasAccount`: whether that table has an account column. */
  table: string;
  hasAccount: boolean;
  column: string;
  target: string;
  targetColumn: string;
  onDelete: string;
}

const readStorage = `
  select c.relkind = 'p' as "isPartitioned", pg_has_role(c.relowner, 'usage') as "isOwned",
    (select count(*)::int from pg_inherits where inhparent = c.oid) as partitions
  from pg_class c where c.oid = to_regclass('public.' || $1)`;

const readColumns = `
  select a.attname::text as name, case when a.attgenerated <> '' then pg_get_expr(d.adbin, d.adrelid) end as expression
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = ('public.' || $1)::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`;

const readIndexes = `
  select c.relname::text as name, pg_get_indexdef(c.oid) as definition, i.indisunique as "isUnique",
    i.indisprimary as "isPrimary"
  from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = ('public.' || $1)::regclass order by 1`;

const readForeignKeys = `
  select k.conname::text as name, k.conrelid::regclass::text as table, a.attname::text as column,
    k.confrelid::regclass::text as target, t.attname::text as "targetColumn",
    case k.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'no action' end as "onDelete",
    exists (select from pg_attribute u where u.attrelid = k.conrelid and u.attname = '${account}') as "hasAccount"
  from pg_constraint k
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  join pg_attribute t on t.attrelid = k.confrelid and t.attnum = k.confkey[1]
  where k.contype = 'f' and k.conparentid = 0 and k.connamespace = 'public'::regnamespace
    and ('public.' || $1)::regclass in (k.conrelid, k.confrelid)
  order by 1`;

/** Returns how a table is stored now. @throws StartError when it does not exist, or the role does not own it */
export async function storageOf(
  db: pg.ClientBase,
  name: string,
): Promise<{ isPartitioned: boolean; partitions: number }> {
  const { rows } = await db.query<{ isPartitioned: boolean; isOwned: boolean; partitions: number }>(readStorage, [
    name,
  ]);
  const [found] = rows;
  if (!found) throw new StartError(`There is no table ${name}. Run \`node dist/service/main.js migrate\` first.`);
  if (!found.isOwned)
    throw new StartError(`The role of DATABASE_URL does not own the table ${name}. Run this as its owner.`);
  return found;
}

/** Reads the columns, indexes and foreign keys of a table from the catalog of PostgreSQL. */
export async function describeTable(db: pg.ClientBase, name: string): Promise<AccountTable> {
  const columns = (await db.query<{ name: string; expression: string | null }>(readColumns, [name])).rows;
  const keys = (await db.query<ForeignKey>(readForeignKeys, [name])).rows;
  return {
    name,
    columns: columns.map((column) => column.name),
    generated: columns.flatMap((column) =>
      column.expression === null ? [] : [{ column: column.name, expression: column.expression }],
    ),
    indexes: (await db.query<AccountTable['indexes'][number]>(readIndexes, [name])).rows,
    foreignKeys: keys.filter(({ table }) => table === name),
    references: keys.filter(({ table, target }) => target === name && table !== name),
  };
}

/** Returns the suffix of the name of each partition. */
export const suffixesOf = (partitions: number): string[] =>
  Array.from({ length: partitions }, (_, n) => `_p${String(n).padStart(2, '0')}`);

/**
 * Returns the definition of an index for a partition or for the whole table. A unique index of a partitioned table has
 * to contain the account; ids and conversations belong to one account each, so it still rejects the same duplicates.
 * The account is the last column, so that background work and foreign keys, which do not know the account, can use the
 * index.
 */
export function indexDefinition(
  { name, definition, isUnique }: AccountTable['indexes'][number],
  on: string,
  suffix = '',
): string {
  const [columns = ''] = definition.split(' WHERE ');
  const hasAccount = new RegExp(`[( ]${account}\\b`).test(columns.slice(columns.indexOf(' USING ')));
  return definition
    .replace(/ INDEX \S+ ON \S+ /, ` INDEX ${name}${suffix} ON ${on} `)
    .replace(/ USING btree \(([^)]*)\)/, isUnique && !hasAccount ? ` USING btree ($1, ${account})` : '$&');
}

/**
 * Returns the clause of a foreign key. It contains the account if the key references a table that is partitioned along
 * with it.
 */
export function foreignKeyClause(key: ForeignKey, partitioned: readonly string[], schemaOfPartitioned: string): string {
  const isPartitioned = partitioned.includes(key.target);
  const ofAccount = isPartitioned ? `${account}, ` : '';
  const target = `${isPartitioned ? schemaOfPartitioned : 'public'}.${key.target}`;
  return `foreign key (${ofAccount}${key.column}) references ${target} (${ofAccount}${key.targetColumn}) on delete ${key.onDelete}`;
}
