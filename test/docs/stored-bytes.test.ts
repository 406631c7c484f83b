import { globSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { guide, read, root } from './guide-pages.ts';

// Columns that can hold what a user gives: not ids, which have the collation "C", and not columns whose values a check lists.
const openColumns = `
  select c.relname as "table", array_agg(a.attname::text order by a.attname) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    and (format_type(a.atttypid, null) in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'tsvector')
      or format_type(a.atttypid, null) like '%[]')
    and not exists (select from pg_collation k where k.oid = a.attcollation and k.collname = 'C')
    and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
      and pg_get_constraintdef(k.oid) ~ 'ANY|length|~')
  group by 1`;
const countedTables = `
  select tgrelid::regclass::text as "table", count(*)::integer as triggers from pg_trigger where tgname ~ '_bytes_(insert|update|delete)$'
  group by 1`;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const page = guide('limits').text;
const listed = [...page.matchAll(/^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \| ([^|]+) \|$/gm)].map(
  ([, table = '', columns = '', bound = '']) => ({
    table,
    columns: [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => column),
    bound,
  }),
);
const files = [...page.matchAll(/^\| `([\w-]+\/)` \| `(src\/[^`]+)` \| ([^|]+) \|$/gm)].map(
  ([, folder = '', file = '', bound = '']) => ({ folder, file, bound }),
);

describe('the tables of stored bytes in docs/limits.md', () => {
  test('list every column that can hold what a user gives, and no other', async () => {
    const { rows } = await client.query<{ table: string; columns: string[] }>(openColumns);
    const found = Object.fromEntries(rows.map(({ table, columns }) => [table, columns.toSorted()]));
    expect(Object.fromEntries(listed.map(({ table, columns }) => [table, columns.toSorted()]))).toEqual(found);
  });

  test('say of every counted table, of rows or of files, that it counts as stored megabytes, and of no other', async () => {
    const { rows } = await client.query<{ table: string; triggers: number }>(countedTables);
    expect(rows.filter(({ triggers }) => triggers !== 3)).toEqual([]);
    const ofRows = listed.filter(({ bound }) => bound.startsWith('stored megabytes')).map(({ table }) => table);
    const ofFiles = files.flatMap(({ bound }) => /^stored megabytes \(`(\w+)`\)/.exec(bound)?.[1] ?? []);
    expect([...new Set([...ofRows, ...ofFiles])].toSorted()).toEqual(rows.map(({ table }) => table).toSorted());
  });

  test('list every module that stores files', () => {
    const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('src/providers/'));
    const storing = sources.filter((file) => /\bfiles\.put\(/.test(read(file)));
    expect(files.map(({ file }) => file).toSorted()).toEqual(storing.toSorted());
  });
});
