import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDeletions } from '../../src/accounts/deletion/purge-rows.ts';
import type { Sql } from '../../src/core/database/sql.ts';
import { partitionedTables } from '../../src/conversations/partition-conversations.ts';
import { createTestDatabase } from '../support/database.ts';
import { partition } from '../support/partition.ts';
import { fillAccounts, type PlanNode, planByIndex, planOf, spreadReads, wholeReads } from '../support/plans.ts';
import * as shardPlan from './shard-plan.ts';

const { accountColumns, acrossAccounts, lookups, otherAccountColumns, parentColumns, unsharded, withoutAccount } =
  shardPlan;

interface Table {
  table: string;
  columns: string[];
}

interface UniqueKey {
  table: string;
  key: string;
  columns: string[];
}

interface ForeignKey {
  table: string;
  column: string;
  target: string;
}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let tables: Table[];
let keys: UniqueKey[];
let foreignKeys: ForeignKey[];
let statements: Map<string, string>;
let plans: Map<string, PlanNode>;

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
  foreignKeys = (
    await client.query<ForeignKey>(
      `select c.conrelid::regclass::text as table, a.attname::text as column, c.confrelid::regclass::text as target
       from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace`,
    )
  ).rows;
  const { stdout } = await promisify(execFile)(process.execPath, ['lint/docs/collect-statements.ts'], {
    maxBuffer: 16 * 1024 * 1024,
  });
  const collected = JSON.parse(stdout) as { name: string; text: string }[];
  statements = new Map(collected.map(({ name, text }) => [name, text]));
  plans = await planPartitioned(client, database.url, statements);
  await client.end();
});
afterAll(() => database.drop());

/** Statements that read an index of running replies, which has few rows, without a condition on its columns. */
const wholeIndexes = ['generation_orphans', 'instance_beat', 'jobs_evaluate'];

/** Returns the plans of the statements over partitioned tables, and of the deletions that purge an account, by name. */
async function planPartitioned(
  client: pg.Client,
  url: string,
  named: ReadonlyMap<string, string>,
): Promise<Map<string, PlanNode>> {
  await partition(url, { keepsBefore: false });
  await client.query(fillAccounts);
  await client.query(planByIndex);
  const sql = (async ({ text }) => (await client.query(text)).rows) as Sql;
  const purges = (await readDeletions(sql)).map(({ path, statement }) => [`purge ${path.join(' > ')}`, statement.text]);
  const found = new Map<string, PlanNode>();
  for (const [name = '', text = ''] of [...named, ...purges])
    if (/\b(?:messages|generations)\b/.test(text)) found.set(name, await planOf(client, text));
  return found;
}

const accountOf = ({ table, columns }: Table): string | undefined =>
  otherAccountColumns[table] ?? accountColumns.find((column) => columns.includes(column));
const parentOf = ({ columns }: Pick<Table, 'columns'>): string | undefined =>
  Object.keys(parentColumns).find((column) => columns.includes(column));
/** Whether a row belongs to the owner of something or to a person who uses it. */
function sideOf(name: string): 'owner' | 'person' | undefined {
  const table = tables.find((one) => one.table === name);
  if (!table) return undefined;
  const account = accountOf(table);
  if (account) return account === 'owner_id' ? 'owner' : 'person';
  const parent = parentOf(table);
  return parent === undefined ? undefined : sideOf(parentColumns[parent] ?? '');
}

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
    // Ids and row numbers are globally unique; the keys of children contain the id of their parent.
    const isOfId = ({ columns: [first = ''] }: UniqueKey) => ['id', 'seq'].includes(first);
    const isOfParent = ({ columns }: UniqueKey) => columns.some((column) => column in parentColumns);
    const others = keys
      .filter(({ table }) => !(table in unsharded) || table.startsWith('moderation_'))
      .filter((key) => !withAccount(key) && !isOfId(key) && !isOfParent(key))
      .map(({ key }) => key);
    expect(sorted(others.filter((key) => !(key in lookups)))).toEqual([]);
    expect(sorted(Object.keys(lookups).filter((key) => !others.includes(key)))).toEqual([]);
  });

  test('each foreign key leads to a row of the same account, or has a reason to lead to another one', () => {
    const mayCross = ({ table: name, column, target }: ForeignKey): boolean => {
      const table = tables.find((one) => one.table === name) ?? { table: name, columns: [] };
      const account = accountOf(table);
      if (column === (account ?? parentOf(table))) return false;
      return account === undefined || target === 'users' || sideOf(name) !== sideOf(target);
    };
    // Those to partitioned tables contain the account.
    const isSharded = ({ table, target }: ForeignKey): boolean =>
      !(table in unsharded) && !(target in unsharded) && !partitionedTables.includes(target);
    const found = foreignKeys.filter((key) => isSharded(key) && mayCross(key));
    expect(sorted(found.map(({ table, column }) => `${table}.${column}`))).toEqual(
      sorted(Object.values(acrossAccounts).flat()),
    );
  });

  test('docs/scaling.md names each of these lists', () => {
    const docs = readFileSync('docs/scaling.md', 'utf8');
    expect(Object.keys(shardPlan).filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
  });

  test('each statement over messages or generations reads the partition of an account, or has a reason to read all', () => {
    // Few rows are found by another index, which is looked up in each partition.
    const readsOf = (plan: PlanNode): number =>
      spreadReads(plan, partitionedTables).filter(({ isLookup }) => !isLookup).length;
    const found = [...plans].map(([name, plan]) => [name, readsOf(plan)] as const).filter(([, reads]) => reads > 0);
    expect(plans.size).toBeGreaterThan(80);
    expect(Object.fromEntries(found)).toEqual(Object.assign({}, ...Object.values(withoutAccount)));
  });

  test('no statement reads a partition from end to end, with the exception of those that need all rows of a small index', () => {
    const isPartition = (table: string): boolean => /^(?:messages|generations)_p\d+$/.test(table);
    const found = [...plans].filter(([, plan]) => wholeReads(plan, isPartition).length > 0).map(([name]) => name);
    expect(sorted(found)).toEqual(sorted(wholeIndexes));
  });

  test('no statement combines an account with a conversation, which would read all messages of a large account', () => {
    const ofConversation = /(?<!id = \$\d and (?:\w+\.)?)\bconversation_id = \S+\s+and (?:\w+\.)?user_id = /;
    // These are found by a unique key: a message in a conversation, and its running generation.
    const byUniqueKey = /and (?:\w+\.)?user_id = \$\d and (?:id = \$\d|state = 'running')/;
    const found = [...statements].filter(([, text]) => ofConversation.test(text) && !byUniqueKey.test(text));
    expect(found.map(([name]) => name)).toEqual([]);
  });
});
