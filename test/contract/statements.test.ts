import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

/** `name: 'x', text: …` of a prepared statement, as src/core/database/sql.ts declares it. */
const statement = /\bname: '([^']+)',\s*text:/g;

const written = globSync(['src/**/*.ts', 'jobs/**/*.ts', 'schema/**/*.ts', 'rest/**/*.ts']).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(statement)].map(([, name = '']) => ({ name, file })),
);

describe('a prepared statement', () => {
  test('has a unique name', () => {
    const files = Map.groupBy(written, ({ name }) => name);
    expect(files.size).toBeGreaterThan(200);
    expect([...files].filter(([, places]) => places.length > 1)).toEqual([]);
  });

  test('has a name that PostgreSQL does not truncate', () => {
    expect(written.filter(({ name }) => name.length > 63)).toEqual([]);
  });
});

describe('the statements of the source tree', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let client: pg.Client;
  let statements: { name: string; text: string }[];

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const collector = ['test/support/collect-statements.ts'];
    const { stdout } = await promisify(execFile)(process.execPath, collector, { maxBuffer: 16 * 1024 * 1024 });
    statements = JSON.parse(stdout) as typeof statements;
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  test('can be prepared on the migrated schema', async () => {
    const refused: { name: string; why: string }[] = [];
    for (const { name, text } of statements) {
      try {
        await client.query(`prepare checked as ${text}`);
        await client.query('deallocate checked');
      } catch (error) {
        refused.push({ name, why: (error as Error).message });
      }
    }
    expect(refused).toEqual([]);
  });

  test('are all found by the collector', () => {
    const collected = new Set(statements.map(({ name }) => name));
    expect(written.filter(({ name }) => !collected.has(name))).toEqual([]);
  });

  test('of the jobs and figures of studio scan no large table completely', async () => {
    // Each of them has an index for what it is asked, whatever the planner thinks of empty tables.
    await client.query('set enable_seqscan = off; set enable_mergejoin = off; set enable_hashjoin = off');
    const names = new Set(written.filter(({ file }) => file.startsWith('src/studio/')).map(({ name }) => name));
    // Partitions are created and dropped by name: there is nothing to plan.
    const studio = statements.filter(({ name }) => names.has(name) && !name.startsWith('studio_partitions'));
    expect(studio.length).toBeGreaterThan(40);
    const found: string[] = [];
    for (const { name, text } of studio) {
      const { rows } = await client.query(`explain (generic_plan, format json) ${text}`);
      for (const table of scannedWhole(rows[0]['QUERY PLAN'][0].Plan)) found.push(`${name}: ${table}`);
    }
    expect(found).toEqual([]);
  });
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** The large tables that a plan reads from end to end: without an index, or without a condition on it or a limit. */
function scannedWhole(node: PlanNode, isLimited = false): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', Plans = [] } = node;
  const isLarge = /^(agent|conversations|experiment|generations|messages|studio_notes|users)/.test(table);
  const isWhole = type === 'Seq Scan' || (type.startsWith('Index') && !node['Index Cond'] && !isLimited);
  const inner = Plans.flatMap((one) => scannedWhole(one, type === 'Limit' || (isLimited && type === 'LockRows')));
  return [...(isLarge && isWhole ? [`${table} by ${node['Index Name'] ?? type}`] : []), ...inner];
}
