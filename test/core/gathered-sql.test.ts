import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatheredSql } from '../../src/core/sql.ts';
import { createTestDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 4, pipeline: true } as pg.PoolConfig);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const answered = { name: 'gathered_answer', text: 'select pg_backend_pid() as backend, $1::int as n' };
const refused = { name: 'gathered_refused', text: 'select 1 / $1::int as n' };

test('statements of one turn share a connection, and each gets its own answer', async () => {
  const sql = gatheredSql(pool);
  const rows = await Promise.all([1, 2, 3].map((n) => sql<{ backend: number; n: number }>(answered, [n])));
  expect(rows.map(([row]) => row?.n)).toEqual([1, 2, 3]);
  expect(new Set(rows.map(([row]) => row?.backend)).size).toBe(1);
});

test('one that fails fails alone, and no connection stays behind', async () => {
  const sql = gatheredSql(pool);
  const [before, failed, after] = await Promise.allSettled([sql(answered, [1]), sql(refused, [0]), sql(answered, [2])]);
  expect([before.status, failed.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await sql(answered, [3])).toMatchObject([{ n: 3 }]);
  expect(pool.idleCount).toBe(pool.totalCount);
});

test('without a connection everybody hears of it, and the next is asked for anew', async () => {
  const lost = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/none' });
  const sql = gatheredSql(lost);
  for (let turn = 0; turn < 2; turn++) {
    const failed = await Promise.allSettled([sql(answered, [1]), sql(answered, [2])]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  }
  await lost.end();
});
