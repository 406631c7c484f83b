import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRateLimits } from '../../src/core/rate-limits.ts';
import { createTestDatabase } from '../support/database.ts';

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

test('parallel requests over two instances admit exactly the limit', async () => {
  const both = instances();
  const states = await Promise.all(Array.from({ length: 200 }, (_, i) => both[i % 2]!.consume('crowd', 75, 60)));
  expect(states.filter((state) => state.retryAfterSeconds === null)).toHaveLength(75);
  expect(states.every((state) => state.limit === 75)).toBe(true);
});

test('each request that is counted together with others sees a place of its own', async () => {
  const [limits] = instances();
  const states = await Promise.all(Array.from({ length: 12 }, () => limits!.consume('places', 10, 60)));
  expect(states.map((state) => state.remaining).sort((a, b) => b - a)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
  expect(states.map((state) => state.retryAfterSeconds !== null)).toEqual(states.map((_, i) => i >= 10));
});

test('a key over its limit stays refused, and other keys are not', async () => {
  const [limits] = instances();
  await Promise.all(Array.from({ length: 5 }, () => limits!.consume('over', 3, 60)));
  const state = await limits!.consume('over', 3, 60);
  expect(state).toMatchObject({ limit: 3, remaining: 0 });
  expect(state.retryAfterSeconds).toBeGreaterThan(0);
  expect(await limits!.consume('other', 3, 60)).toMatchObject({ remaining: 2, retryAfterSeconds: null });
});

test('a failure of the database reaches everybody who waits, and the next request is counted again', async () => {
  const pool = pools[0]!;
  const limits = createRateLimits(pool);
  await pool.query('alter table rate_limits rename to gone');
  const failed = await Promise.allSettled([limits.consume('key', 9, 60), limits.consume('key', 9, 60)]);
  await pool.query('alter table gone rename to rate_limits');
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await limits.consume('key', 9, 60)).toMatchObject({ remaining: 8 });
});
