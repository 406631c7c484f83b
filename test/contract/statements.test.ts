import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { fillAccounts, planByIndex, planOf, tablesRead, wholeReads } from '../support/plans.ts';

/** `name: 'x', text: …` of a prepared statement, as src/core/database/sql.ts declares it. */
const statement = /\bname: '([^']+)',\s*text:/g;

const written = globSync(['src/**/*.ts', 'jobs/**/*.ts', 'schema/**/*.ts', 'rest/**/*.ts']).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(statement)].map(([, name = '']) => ({ name, file })),
);

/** Features whose tables have rows for each user, agent or use. */
const growing = ['images', 'marketplace', 'moderation', 'social', 'studio'];

/** Tables of few rows, and why. */
const small: Readonly<Record<string, string>> = {
  business_clock: 'one row',
  featured_listings: 'chosen by moderators',
  instances: 'one row for each instance',
  listing_recounts: 'one row',
  social_recounts: 'one row',
  studio_sums: 'one row',
};

/** Statements that may read a whole table. */
const readWhole = [
  { name: 'experiments_pause_beyond_plan', why: 'an index has only the experiments that are under way' },
  { name: 'experiments_running', why: 'an index has only the experiments that are under way' },
  { name: 'listing_recount', why: 'the table has the notes of a few seconds' },
  { name: 'listings_by_ids', why: 'an index has only the accounts that are about to be purged' },
  { name: 'marketplace_count_all', why: 'an index has only the listings for adults' },
  { name: 'marketplace_featured', why: 'an index has only the listings for adults' },
  { name: 'purge_studio_notes', why: 'the table has the notes of about a minute' },
  { name: 'reviews_count_waiting', why: 'an index has only the reviews that wait to be counted' },
];

/** A lock for which a statement waits. */
const waits = /\bfor (?:no key update|update|share)\b(?!(?: of \w+)? skip locked)/;

/**
 * Statements that wait for a lock and read another table, and why that is safe. PostgreSQL reads the other table before
 * it waits, so a check of it can be out of date: `lockThenRead` takes the lock in a statement of its own.
 */
const readBesideLock: Readonly<Record<string, string>> = {
  agents_announce_unpublished: 'the statement before it locks the account that it checks',
  embed_return_charges: 'the conversation of a generation and the embed of a conversation never change',
  generation_complete: 'the messages of a conversation do not change while a generation runs in it',
  generation_complete_branch: 'the messages of a conversation do not change while a generation runs in it',
  generation_fail: 'the locked row decides; the update of the conversation takes a lock of its own',
  generation_stop_unwritten: 'the update of the generation takes a lock of its own and checks the state again',
  quota_refund_some: 'the plan only bounds the refunds of a day',
  'src/webhooks/dispatch/claim-due.ts': 'an exact claim takes the lock before; others only skip what is leased',
  'src/webhooks/dispatch/fan-out.ts': 'events never change, and the rows of the queue are locked without waiting',
  'src/webhooks/dispatch/record-outcomes.ts':
    'the update of a delivery takes a lock of its own and checks the lease again',
};

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
  let statements: { name: string; text: string; file: string }[];

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const collector = ['lint/docs/collect-statements.ts'];
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

  test('of features that grow with their users read no large table from end to end', async () => {
    // Each of them has an index for its conditions, whatever the planner assumes about empty tables.
    await client.query(fillAccounts);
    await client.query(`analyze ${Object.keys(small).join(', ')}`);
    await client.query(planByIndex);
    const checked = statements.filter(
      ({ name, file }) =>
        growing.some((feature) => file.startsWith(`src/${feature}/`)) && !name.startsWith('studio_partitions'),
    );
    expect(checked.length).toBeGreaterThan(200);
    const found: string[] = [];
    for (const { name, text } of checked) {
      const whole = wholeReads(await planOf(client, text), (table) => !(table in small));
      if (whole.length > 0) found.push(`${name}: ${whole.join(', ')}`);
    }
    const isExcused = (line: string): boolean => readWhole.some(({ name }) => line.startsWith(`${name}: `));
    expect(found.filter((line) => !isExcused(line))).toEqual([]);
    expect(readWhole.filter(({ name }) => !found.some((line) => line.startsWith(`${name}: `)))).toEqual([]);
  });

  test('that wait for a lock read other tables only for a listed reason', async () => {
    const found = new Set<string>();
    for (const { name, text, file } of statements.filter((statement) => waits.test(statement.text)))
      if (tablesRead(await planOf(client, text)).length > 1) found.add(name === '' ? file : name);
    expect([...found].toSorted()).toEqual(Object.keys(readBesideLock).toSorted());
  });
});
