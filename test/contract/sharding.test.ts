import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import {
  accountColumns,
  lookups,
  otherAccountColumns,
  parentColumns,
  unsharded,
  withoutAccount,
} from './shard-plan.ts';

interface Table {
  table: string;
  columns: string[];
}

interface UniqueKey {
  table: string;
  key: string;
  columns: string[];
}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let tables: Table[];
let keys: UniqueKey[];
let statements: Map<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const ofTables = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
  tables = (
    await client.query<Table>(
      `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where ${ofTables} group by 1`,
    )
  ).rows;
  keys = (
    await client.query<UniqueKey>(
      `select c.relname as table, i.relname as key, array(
         select pg_get_indexdef(x.indexrelid, n, true) from generate_series(1, x.indnkeyatts) n) as columns
       from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
       where x.indisunique and ${ofTables}`,
    )
  ).rows;
  await client.end();
  const { stdout } = await promisify(execFile)(process.execPath, ['test/support/collect-statements.ts'], {
    maxBuffer: 16 * 1024 * 1024,
  });
  const collected = JSON.parse(stdout) as { name: string; text: string }[];
  statements = new Map(collected.map(({ name, text }) => [name, text]));
});
afterAll(() => database.drop());

const accountOf = ({ table, columns }: Table): string | undefined =>
  otherAccountColumns[table] ?? accountColumns.find((column) => columns.includes(column));
const parentOf = ({ columns }: Pick<Table, 'columns'>): string | undefined =>
  Object.keys(parentColumns).find((column) => columns.includes(column));
const sorted = (names: Iterable<string>): string[] => [...names].toSorted();

describe('for sharding by account', () => {
  test('each table has an account, references a table that has one, or has a reason not to be sharded', () => {
    const others = tables.filter((table) => !accountOf(table) && !parentOf(table)).map(({ table }) => table);
    expect(sorted(others.filter((table) => !(table in unsharded)))).toEqual([]);
    expect(sorted(Object.keys(unsharded).filter((table) => !others.includes(table)))).toEqual([]);
    const leadNowhere = Object.values(parentColumns).filter((parent) => {
      const table = tables.find((one) => one.table === parent);
      return !table || !(accountOf(table) ?? parentOf(table));
    });
    expect(leadNowhere).toEqual([]);
  });

  test('messages and generations have the account as a column', () => {
    for (const name of ['messages', 'generations', 'conversations'])
      expect(tables.find(({ table }) => table === name)?.columns).toContain('user_id');
  });

  test('each unique key includes the account, begins with an id that belongs to one, or has a planned lookup table', () => {
    const withAccount = ({ table, columns }: UniqueKey) => {
      const found = tables.find((one) => one.table === table);
      const account = found && accountOf(found);
      return account !== undefined && columns.includes(account);
    };
    // Ids and numbers of rows are unique by themselves; the keys of children have the id of their parent.
    const isOfId = ({ columns: [first = ''] }: UniqueKey) => ['id', 'seq'].includes(first);
    const isOfParent = ({ columns }: UniqueKey) => columns.some((column) => column in parentColumns);
    const others = keys
      .filter(({ table }) => !(table in unsharded) || table.startsWith('moderation_'))
      .filter((key) => !withAccount(key) && !isOfId(key) && !isOfParent(key))
      .map(({ key }) => key);
    expect(sorted(others.filter((key) => !(key in lookups)))).toEqual([]);
    expect(sorted(Object.keys(lookups).filter((key) => !others.includes(key)))).toEqual([]);
  });

  test('each statement over messages or generations has a condition on the account, or a reason to have none', () => {
    const overThem = /\b(?:from|join|update|into)\s+(?:messages|generations)\b/;
    const conditionOnAccount =
      /user_id\s*(?:=|in\s*\()|=\s*(?:\w+\.)?user_id\b|insert into (?:messages|generations)\b[^)]*\buser_id\b/;
    const found = [...statements].filter(([, text]) => overThem.test(text) && !conditionOnAccount.test(text));
    expect(sorted(found.map(([name]) => name))).toEqual(sorted(Object.values(withoutAccount).flat()));
  });

  test('no statement combines an account with a conversation, which would read all messages of a large account', () => {
    const ofConversation = /(?<!id = \$\d and (?:\w+\.)?)\bconversation_id = \S+\s+and (?:\w+\.)?user_id = /;
    // A unique key finds these: a message in a conversation, and its running generation.
    const byUniqueKey = /and (?:\w+\.)?user_id = \$\d and (?:id = \$\d|state = 'running')/;
    const found = [...statements].filter(([, text]) => ofConversation.test(text) && !byUniqueKey.test(text));
    expect(found.map(([name]) => name)).toEqual([]);
  });
});
