import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatheredSql } from '../../src/core/database/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { limitsTime } from '../support/wall-clock.ts';

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

describe('gathered statements', () => {
  test('share a connection within a turn, and each gets its own rows', async () => {
    const sql = gatheredSql(pool);
    const rows = await Promise.all([1, 2, 3].map((n) => sql<{ backend: number; n: number }>(answered, [n])));
    expect(rows.map(([row]) => row?.n)).toEqual([1, 2, 3]);
    expect(new Set(rows.map(([row]) => row?.backend)).size).toBe(1);
  });

  test('fail alone and leak no connection', async () => {
    const sql = gatheredSql(pool);
    const [before, failed, after] = await Promise.allSettled([
      sql(answered, [1]),
      sql(refused, [0]),
      sql(answered, [2]),
    ]);
    expect([before.status, failed.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await sql(answered, [3])).toMatchObject([{ n: 3 }]);
    expect(pool.idleCount).toBe(pool.totalCount);
  });

  test('all report a failed connection, and the next turn reconnects', async () => {
    const lost = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/none' });
    const sql = gatheredSql(lost);
    for (let turn = 0; turn < 2; turn++) {
      const failed = await Promise.allSettled([sql(answered, [1]), sql(answered, [2])]);
      expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    }
    await lost.end();
  });

  test('run again when the statement that would have prepared them was cancelled', limitsTime, async () => {
    const short = new pg.Pool({ connectionString: database.url, max: 2, pipeline: true } as pg.PoolConfig);
    short.on('error', () => undefined);
    const locker = await pool.connect();
    const sql = gatheredSql(short);
    const read = { name: 'gathered_locked', text: 'select count(*)::int as n from sessions' };
    const settings = { name: 'gathered_timeout', text: `select set_config('statement_timeout', $1, false)` };
    try {
      await locker.query('begin; lock table sessions');
      // Parsing waits for the lock too, so the timeout fires before the statement is prepared.
      await sql(settings, ['300']);
      const both = Promise.allSettled([sql(read), sql(read)]);
      setTimeout(() => void locker.query('rollback'), 600);
      const [first, second] = await both;
      expect(first).toMatchObject({ status: 'rejected', reason: { code: '57014' } });
      expect(second).toMatchObject({ status: 'fulfilled' });
    } finally {
      locker.release();
      await short.end();
    }
  });
});
