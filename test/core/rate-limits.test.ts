import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRateLimits } from '../../src/core/http/rate-limits.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pools: pg.Pool[];

beforeAll(async () => {
  database = await createTestDatabase();
  pools = [1, 2].map(() => new pg.Pool({ connectionString: database.url, max: 4 }));
});

afterAll(async () => {
  for (const pool of pools) await pool.end();
  await database.drop();
});

const instances = () => pools.map((pool) => createRateLimits(pool));

describe('rate limits', () => {
  test('admit exactly the limit of parallel requests to two instances', async () => {
    const both = instances();
    const states = await Promise.all(Array.from({ length: 200 }, (_, i) => both[i % 2]!.consume('parallel', 75, 60)));
    expect(states.filter((state) => state.retryAfterSeconds === null)).toHaveLength(75);
    expect(states.every((state) => state.limit === 75)).toBe(true);
  });

  test('give each of the requests that are counted together its own remaining count', async () => {
    const [limits] = instances();
    const states = await Promise.all(Array.from({ length: 12 }, () => limits!.consume('together', 10, 60)));
    expect(states.map((state) => state.remaining).sort((a, b) => b - a)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    expect(states.map((state) => state.retryAfterSeconds !== null)).toEqual(states.map((_, i) => i >= 10));
  });

  test('keep refusing a key over its limit, and no other key', async () => {
    const [limits] = instances();
    await Promise.all(Array.from({ length: 5 }, () => limits!.consume('over', 3, 60)));
    const state = await limits!.consume('over', 3, 60);
    expect(state).toMatchObject({ limit: 3, remaining: 0 });
    expect(state.retryAfterSeconds).toBeGreaterThan(0);
    expect(await limits!.consume('other', 3, 60)).toMatchObject({ remaining: 2, retryAfterSeconds: null });
  });

  test('report a failure of the database to every waiting request and count the next one', async () => {
    const pool = pools[0]!;
    const limits = createRateLimits(pool);
    await pool.query('alter table rate_limits rename to gone');
    const failed = await Promise.allSettled([limits.consume('key', 9, 60), limits.consume('key', 9, 60)]);
    await pool.query('alter table gone rename to rate_limits');
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await limits.consume('key', 9, 60)).toMatchObject({ remaining: 8 });
  });

  const inWindow = async (key: string) => {
    const row = await pools[0]!.query<{ left: number }>(
      `select expire - (extract(epoch from now()) * 1000)::bigint as left from rate_limits where key like '%' || $1`,
      [key],
    );
    return Number(row.rows[0]?.left);
  };

  test('agree on the window when the clock of one instance is wrong', async () => {
    const [one, other] = instances();
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const real = Date.now();
      const states = [await one!.consume('skew', 2, 60)];
      vi.setSystemTime(real + 120_000);
      states.push(await other!.consume('skew', 2, 60));
      vi.setSystemTime(real - 3_600_000);
      states.push(await one!.consume('skew', 2, 60));
      expect(states.map((state) => [state.remaining, state.retryAfterSeconds !== null])).toEqual([
        [1, false],
        [0, false],
        [0, true],
      ]);
      for (const { resetAt } of states) expect(Math.abs(resetAt - real / 1000 - 60)).toBeLessThan(5);
    } finally {
      vi.useRealTimers();
    }
  });

  test('make no window longer than it is when the clock of the database was set back', async () => {
    const [limits] = instances();
    await limits!.consume('back', 9, 60);
    await pools[0]!.query(`update rate_limits set expire = expire + 3600000 where key like '%back'`);
    const { resetAt } = await limits!.consume('back', 9, 60);
    expect(await inWindow('back')).toBeLessThanOrEqual(60_000);
    expect(resetAt).toBeLessThan(Date.now() / 1000 + 65);
  });

  test('lock a key that exceeds its limit for longer than the window, and unlock it when it is forgotten', async () => {
    const [limits, other] = instances();
    for (let n = 0; n < 2; n++) expect((await limits!.consume('lock', 2, 1, 900)).retryAfterSeconds).toBeNull();
    expect((await limits!.consume('lock', 2, 1, 900)).retryAfterSeconds).toBe(900);
    expect((await other!.consume('lock', 2, 1, 900)).retryAfterSeconds).toBeGreaterThan(890);
    await limits!.forget('lock', 2, 1, 900);
    expect(await limits!.consume('lock', 2, 1, 900)).toMatchObject({ remaining: 1, retryAfterSeconds: null });
  });

  test('tally exactly the limit of parallel requests to an instance', async () => {
    const [limits] = instances();
    const burst = () => Promise.all(Array.from({ length: 40 }, () => limits!.tally('tallied', 75, 60)));
    const states = [...(await burst()), ...(await burst()), ...(await burst())];
    expect(states.filter((state) => state.retryAfterSeconds === null).map(({ remaining }) => remaining)).toEqual(
      Array.from({ length: 75 }, (_, i) => 74 - i),
    );
  });

  test('share a tally between instances in less than a statement a request', async () => {
    const both = instances();
    const executed = vi.spyOn(pg.Client.prototype, 'query');
    try {
      for (let n = 0; n < 300; n++) await both[n % 2]!.tally('shared', 400, 60);
      expect(executed.mock.calls.length).toBeLessThan(150);
    } finally {
      executed.mockRestore();
    }
    const shared = async () => {
      const { rows } = await pools[0]!.query(`select points from rate_limits where key like '%:shared'`);
      return rows[0]?.points === 300;
    };
    await eventually(shared, { what: 'all points in the database' });
    const [one] = instances();
    expect(await one!.tally('shared', 400, 60)).toMatchObject({ remaining: 99 });
  });

  test('keep what was tallied while the database fails', async () => {
    const pool = pools[0]!;
    const limits = createRateLimits(pool);
    await limits.tally('kept', 1_000, 60);
    await pool.query('alter table rate_limits rename to gone');
    for (let n = 0; n < 20; n++) await limits.tally('kept', 1_000, 60);
    await pool.query('alter table gone rename to rate_limits');
    await eventually(
      async () => (await pool.query(`select points from rate_limits where key like '%:kept'`)).rows[0]?.points === 21,
      { what: 'the points in the database' },
    );
  });
});
