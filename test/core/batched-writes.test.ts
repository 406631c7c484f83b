import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { batchWrites } from '../../src/core/database/batched-writes.ts';
import { poolSql, type Sql } from '../../src/core/database/sql.ts';
import { createTestDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 8 });
  await pool.query('create table batched (n integer primary key check (n >= 0))');
});
beforeEach(async () => {
  await pool.query('truncate batched');
  sizes.length = 0;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const insert = {
  name: 'batched_insert',
  text: `insert into batched select n from unnest($1::int[]) n returning n, xmin::text as transaction`,
};
interface Written {
  n: number;
  transaction: string;
}
/** Number of items of each statement that was sent, including repeated ones. */
const sizes: number[] = [];
const writeOf = (keyOf: (n: number) => string) =>
  batchWrites<number, Written>({
    keyOf,
    write: async (sql: Sql, items) => {
      sizes.push(items.length);
      return sql<Written>(insert, [items]);
    },
  });
const write = writeOf(String);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const ctx = () => ({ pool, sql: poolSql(pool) });
const stored = async (): Promise<number[]> =>
  (await pool.query<Written>('select n from batched order by n')).rows.map(({ n }) => n);

describe('batched writes', () => {
  test('of one turn share a transaction, at most 100 of them, and each gets its own outcome', async () => {
    const rows = await Promise.all(upTo(250).map((n) => write(ctx(), n)));
    expect(rows.map(({ n }) => n)).toEqual(upTo(250));
    expect(sizes.toSorted((a, b) => b - a)).toEqual([100, 100, 50]);
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(3);
  });

  test('with the same key are in different batches', async () => {
    const writeByParity = writeOf((n) => String(n % 2));
    const rows = await Promise.all(upTo(6).map((n) => writeByParity(ctx(), n)));
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(3);
    const [first, second] = rows;
    expect(first?.transaction).toBe(second?.transaction);
  });

  test('fail alone', async () => {
    const items = upTo(64).map((n) => (n % 20 === 7 ? -n : n));
    const outcomes = await Promise.allSettled(items.map((n) => write(ctx(), n)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused.map(({ code }) => code)).toEqual(['23514', '23514', '23514']);
    expect(await stored()).toEqual(items.filter((n) => n >= 0));
    // Bisection finds a failing item with at most two statements per level.
    expect(sizes.length).toBeLessThan(3 * 2 * 7);
  });

  test('are not repeated when it is unknown whether they were committed', async () => {
    const lost = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/none' });
    const failed = await Promise.allSettled(upTo(3).map((n) => write({ pool: lost, sql: poolSql(lost) }, n)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(sizes).toEqual([3]);
    await lost.end();
    expect(await write(ctx(), 1)).toMatchObject({ n: 1 });
  });

  test('wait for a bounded number of others', async () => {
    const outcomes = await Promise.allSettled(upTo(5_001).map((n) => write(ctx(), n)));
    expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))).toMatchObject([
      { code: 'unavailable' },
    ]);
    expect(await stored()).toHaveLength(5_000);
  });
});
