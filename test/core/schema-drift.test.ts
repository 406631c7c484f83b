import type { EntityMetadata, EntityProperty } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalog } from '../../src/app/features.ts';
import { connectDatabase, type Database } from '../../src/core/database/database.ts';
import { SimulatedCustomer } from '../../src/simulators/stripe/simulated-customer.entity.ts';
import { createTestDatabase } from '../support/database.ts';
import { partition } from '../support/partition.ts';

/** Columns that no entity has, each with the reason. */
const unmapped: Readonly<Record<string, string>> = {
  'messages.search': 'generated, and read by search statements only',
  'chunks.terms': 'filled by a trigger, and read by search statements only',
  'listings.search': 'generated, and read by search statements only',
  'conversation_titles.search': 'filled by a trigger, and read by search statements only',
};

/** Foreign keys to a table whose feature the owner of the column may not import: the entity has a plain column. */
const upward: Readonly<Record<string, string>> = {
  'outbox_events.account_id': 'core imports no feature',
  'idempotency_keys.user_id': 'core imports no feature',
  'documents.agent_id': 'knowledge comes before agents',
  'agent_vector_versions.agent_id': 'knowledge comes before agents',
};

/** Key columns that only partitioned tables have: each key contains the account. */
const keysOfPartitions = ['messages.user_id', 'generations.user_id'];
/** Foreign keys that triggers replace on partitioned tables. */
const deletedByTrigger: Readonly<Record<string, string>> = {
  'generation_deltas.generation_id': 'generations on delete c',
};

/** Not compared, because MikroORM does not model them: collations, checks, triggers, partial and expression indexes. */
const schemaColumns = `
  select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
    coalesce(a.attnum = any (pk.conkey), false) as "primary",
    case when a.attidentity <> '' then 'identity' else pg_get_expr(d.adbin, d.adrelid) end as "default",
    (select f.confrelid::regclass || ' on delete ' || f.confdeltype::text from pg_constraint f
     where f.contype = 'f' and f.conrelid = c.oid and f.conparentid = 0 and f.conkey[cardinality(f.conkey)] = a.attnum) as "references"
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_constraint pk on pk.conrelid = c.oid and pk.contype = 'p'
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    and c.relname <> 'migrations'`;

interface Column {
  name: string;
  type: string;
  required: boolean;
  primary: boolean;
  default: string | null;
  references: string | null;
}

const asUnpartitioned = (column: Column): Column => ({
  ...column,
  primary: column.primary && !keysOfPartitions.includes(column.name),
  references: column.references ?? deletedByTrigger[column.name] ?? null,
});

let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let migrated: Column[];
let mapped: Column[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const all = [...catalog.entities, SimulatedCustomer];
  database = await connectDatabase({ url: testDatabase.url, entities: all, poolSize: 2 });
  migrated = (await database.pool.query<Column>(schemaColumns)).rows;
  mapped = [...database.orm.getMetadata().getAll().values()].flatMap((entity) =>
    entity.props.map((property) => columnOf(entity, property)),
  );
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const columnOf = ({ tableName }: EntityMetadata, property: EntityProperty): Column => ({
  name: `${tableName}.${property.fieldNames.join('+')}`,
  type: typeNames[property.columnTypes[0] ?? ''] ?? property.columnTypes[0] ?? '',
  required: !property.nullable,
  primary: property.primary ?? false,
  default: property.autoincrement ? 'identity' : (property.defaultRaw ?? null),
  references: property.targetMeta
    ? `${property.targetMeta.tableName} on delete ${ruleCodes[property.deleteRule ?? '']}`
    : null,
});

/** PostgreSQL's codes of `on delete` actions. */
const ruleCodes: Readonly<Record<string, string>> = { cascade: 'c', 'set null': 'n' };

/** MikroORM's names of types for which PostgreSQL shows another name. */
const typeNames: Readonly<Record<string, string>> = {
  int: 'integer',
  bigserial: 'bigint',
  'timestamptz(3)': 'timestamp(3) with time zone',
  'varchar(255)': 'character varying(255)',
};

const described = (column: Column): string =>
  [
    column.name,
    column.type,
    column.required ? 'not null' : 'null',
    column.primary ? 'primary key' : '',
    // PostgreSQL shows a text literal with its type, and MikroORM quotes a bigint.
    column.default === null
      ? ''
      : `default ${column.default.replace(/^('.*')::text$/, '$1').replace(/^'(\d+)'$/, '$1')}`,
    column.references && !(column.name in upward) ? `references ${column.references}` : '',
  ].join(' ');

describe('the entities', () => {
  test('have every table and column of the migrated schema, and none that it lacks', () => {
    const expected = migrated.filter(({ name }) => !(name in unmapped)).map(described);
    expect(mapped.map(described).sort()).toEqual(expected.sort());
  });

  test('have the same tables and columns when messages and generations are partitioned', async () => {
    await partition(testDatabase.url, { keepsBefore: false });
    const partitioned = (await database.pool.query<Column>(schemaColumns)).rows;
    const expected = partitioned.filter(({ name }) => !(name in unmapped)).map(asUnpartitioned);
    expect(mapped.map(described).sort()).toEqual(expected.map(described).sort());
  });

  test('lack only columns and foreign keys that exist', () => {
    expect(Object.keys(unmapped).filter((name) => !migrated.some((column) => column.name === name))).toEqual([]);
    expect(
      Object.keys(upward).filter((name) => !migrated.some((column) => column.name === name && column.references)),
    ).toEqual([]);
  });
});
