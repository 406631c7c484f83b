import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { guide } from './guide-pages.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let tables: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
  );
  tables = rows.map(({ name }) => name);
  await client.end();
});
afterAll(() => database.drop());

const documented = [...guide('data').text.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map(
  ([, table = '', content = '', kept = '']) => ({ table, content, kept }),
);

describe('docs/data.md', () => {
  test('lists every table of the migrated schema and no other', () => {
    expect(documented.map(({ table }) => table).sort()).toEqual(tables.sort());
  });

  test('says of every table how long it is kept, or why forever', () => {
    const form = /\d+ (day|hour|minute)|1 year|until|life of|forever: |RETENTION/;
    expect(documented.filter(({ content, kept }) => content === '' || !form.test(kept))).toEqual([]);
  });
});
