import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { fill } from '../seed/fill.ts';
import { measureScale } from './measure.ts';
import { volumesOf } from './parts.ts';
import { withTables } from './report.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

const size = { accounts: 2_000, messages: 4_000 };

async function counts(): Promise<Record<string, number>> {
  const entries = await Promise.all(
    ['users', 'messages', 'sessions', 'webhooks', 'documents', 'agent_activity'].map(async (table) => {
      const { rows } = await db.query<{ n: number }>(`select count(*)::int as n from ${table}`);
      return [table, rows[0]?.n ?? 0] as const;
    }),
  );
  return Object.fromEntries(entries);
}

describe('npm run scale', () => {
  test('continues a seed that was interrupted within a part, and writes nothing twice', async () => {
    let batches = 0;
    const interrupted = fill(database.url, volumesOf(size), () => {
      if (++batches === 1) throw new Error('interrupted');
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    await fill(database.url, volumesOf(size), () => undefined);
    const filled = await counts();
    expect(filled).toMatchObject({ messages: 4_200, sessions: 2_000, webhooks: 2_000, documents: 2_000 });
    await fill(database.url, volumesOf(size), () => undefined);
    expect(await counts()).toEqual(filled);
  });

  test('measures each read and batch, and refills the rows that batches consumed', async () => {
    const first = await measureScale(database.url, size);
    expect(first.reads).toHaveLength(12);
    expect(first.reads.filter(({ p50, p95 }) => !(p50 > 0 && p95 >= p50))).toEqual([]);
    expect(Object.fromEntries(first.batches.map(({ what, rows }) => [what, rows]))).toEqual({
      'billing comparison, without the time of the processor': 2_000,
      're-encryption': 2_000,
      'retention: expired sessions and their tokens': 4_000,
      'purge of accounts: messages': 200,
      'stray checks: documents': 2_000,
      'statistics: messages of agents': 2_000,
      'statistics: counters of profiles': 2_000,
    });
    const { rows: keys } = await db.query('select distinct left(secret, 9) as key from webhooks');
    expect(keys).toHaveLength(1);
    expect(await counts()).toMatchObject({ messages: 4_000, sessions: 0, agent_activity: 0 });
    await fill(database.url, volumesOf(size), () => undefined);
    expect(await counts()).toMatchObject({ messages: 4_200, sessions: 2_000, agent_activity: 2_000 });
  });

  test('writes its tables between the markers of a page', () => {
    const page = 'Before\n\n<!-- scale: written by npm run scale -->\nold\n<!-- end -->\n\nAfter\n';
    const reads = [{ what: 'a list', p50: 1.04, p95: 20 }];
    const batches = [{ what: 'a batch', rows: 1_000, seconds: 2, rowsOfMillion: 1_000_000, withinHours: 24 }];
    const written = withTables(page, { size, reads, batches });
    expect(written).toContain('| a list | 1.0 ms | 20.0 ms |');
    expect(written).toContain('| a batch | 1,000 | 500 | 1,000,000 rows | 33 min | 24.0 h |');
    expect(written).toMatch(/^Before\n[^]*After\n$/);
    expect(written).not.toContain('old');
  });
});
