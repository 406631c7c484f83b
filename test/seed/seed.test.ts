import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { measureAll } from './check.ts';
import { fill } from './fill.ts';
import { dropIndexes } from './late-indexes.ts';
import { parts } from './parts.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: pg.Client;
const silent = () => undefined;
const tables = {
  agents: 'agents',
  messages: 'messages',
  webhooks: 'webhooks',
  deliveries: 'webhook_deliveries',
  chunks: 'chunks',
};

beforeAll(async () => {
  database = await createTestDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

const upTo = (count: number) => fill(database.url, new Map(parts.map((part) => [part, count])), silent);
const countOf = async (table: string): Promise<number> =>
  (await db.query(`select count(*)::int as n from ${table} where id <> 'x'`)).rows[0].n;

describe('npm run seed', () => {
  test('fills every part, continues where it ended, and writes nothing twice', async () => {
    await upTo(250);
    const first = await Promise.all(Object.values(tables).map(countOf));
    await upTo(250);
    expect(await Promise.all(Object.values(tables).map(countOf))).toEqual(first);
    await upTo(600);
    expect(await Promise.all(Object.values(tables).map(countOf))).toEqual(first.map((count) => count + 350));
  });

  test('builds the indexes that an interrupted fill has dropped', async () => {
    const definitionOf = `select indexdef from pg_indexes where indexname = 'messages_search_idx'`;
    const { rows } = await db.query(definitionOf);
    await dropIndexes(db, ['messages_search_idx']);
    await dropIndexes(db, ['messages_search_idx']);
    expect((await db.query(definitionOf)).rows).toEqual([]);
    await upTo(600);
    expect((await db.query(definitionOf)).rows).toEqual(rows);
    expect(rows).toHaveLength(1);
  });

  test('measures every query, and removes what is large', async () => {
    const { counts, results } = await measureAll(database.url, { remove: true });
    expect(counts).toEqual(Object.fromEntries(parts.map(({ name }) => [name, 600])));
    expect(results.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(results.length).toBeGreaterThan(60);
    const left = await db.query(`select part from seed.progress order by part`);
    expect(left.rows).toEqual([{ part: 'agents' }, { part: 'webhooks' }]);
  });
});
