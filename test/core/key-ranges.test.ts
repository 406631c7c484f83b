import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalog } from '../../src/app/features.ts';
import { encrypt, namedKey } from '../../src/core/crypto.ts';
import { firstKey, type KeyRange, listRanges, type RangedTable } from '../../src/core/tasks/key-ranges.ts';
import type { Job } from '../../src/core/tasks/job.ts';
import { claimTasks } from '../../src/core/tasks/task-leases.ts';
import { createTaskRunner } from '../../src/core/tasks/task-runner.ts';
import { enqueueTask } from '../../src/core/tasks/tasks.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createHarness, type Harness } from '../support/harness.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let harness: Harness;

beforeAll(async () => {
  database = await createTestDatabase();
  harness = await createHarness({ url: database.url });
});
afterAll(async () => {
  await harness.close();
  await database.drop();
});

async function allRanges(table: RangedTable, size: number): Promise<KeyRange[]> {
  const ranges: KeyRange[] = [];
  for (let after: string[] | null = firstKey(table); after;) {
    const page: Awaited<ReturnType<typeof listRanges>> = await listRanges(harness.newCtx(), table, { after, size });
    expect(page.ranges.length).toBeLessThanOrEqual(101);
    ranges.push(...page.ranges);
    after = page.rest;
  }
  return ranges;
}

describe('the ranges of a table', () => {
  test('cover each row once, even with a composite key and over several pages', async () => {
    await harness.query(`create table pairs (a bytea, b bigint, odd boolean not null, primary key (a, b))`);
    await harness.query(
      `insert into pairs select sha256((n / 3)::text::bytea), n, n % 2 = 1 from generate_series(1, 1500) n`,
    );
    for (const [where, rows] of [
      [undefined, 1_500],
      ['t.odd', 750],
    ] as const) {
      const table = { table: 'pairs', key: { a: Buffer.alloc(0), b: 0 }, ...(where && { where }) };
      const ranges = await allRanges(table, 7);
      expect(ranges).toHaveLength(Math.floor(rows / 7) + 1);
      expect(ranges.at(-1)?.through).toBeNull();
      const counted: number[] = [];
      for (const { after, through } of ranges) {
        const found = await harness.query<{ rows: number }>(
          `select count(*)::int as rows from pairs t where (a, b) > ($1::bytea, $2::bigint) and ${where ?? 'true'}
             and ($3::bytea is null or (a, b) <= ($3::bytea, $4::bigint))`,
          [...after, through?.[0] ?? null, through?.[1] ?? null],
        );
        counted.push(found[0]?.rows ?? 0);
      }
      expect(counted.slice(0, -1).every((count) => count === 7)).toBe(true);
      expect(counted.reduce((sum, count) => sum + count, 0)).toBe(rows);
    }
  });

  test('of an empty table are a single range without an end', async () => {
    await harness.query(`create table nothing (id text primary key)`);
    const table = { table: 'nothing', key: { id: '' } };
    expect(await listRanges(harness.newCtx(), table, { after: firstKey(table), size: 10 })).toEqual({
      ranges: [{ after: [''], through: null }],
      rest: null,
    });
  });
});

describe('re-encryption of a large table', () => {
  const [newer, older] = [namedKey('newer'), namedKey('older')];
  const rows = 11_000;
  const jobs = (catalog.jobs as readonly Job[]).filter(({ kind }) => kind.startsWith('service.re-encrypt'));

  test('is shared by two workers, continues after one of them dies, and encrypts nothing twice', async () => {
    await harness.query(
      `insert into users (id, email, username, password_hash, created_at, updated_at) values ('usr_1', 'a@b.example', 'a', '', now(), now())`,
    );
    const ids = Array.from({ length: rows }, (_, n) => `wh_${String(n).padStart(8, '0')}`);
    const secrets = ids.map((id) => encrypt([older], 'secret', `webhooks.secret ${id}`));
    await harness.query(
      `insert into webhooks (id, user_id, url, events, secret, created_at, updated_at)
       select id, 'usr_1', 'https://a.example', '{agent.created}', secret, now(), now() from unnest($1::text[], $2::text[]) as w (id, secret)`,
      [ids, secrets],
    );
    await harness.query(`create table writes (id text, by integer)`);
    await harness.query(`
      create function note_write() returns trigger language plpgsql as
        $$ begin insert into writes values (new.id, pg_backend_pid()); return new; end $$`);
    await harness.query(
      `create trigger note_write after update of secret on webhooks for each row execute function note_write()`,
    );
    const config = { encryptionKeys: [newer, older] };
    const workers = await Promise.all([1, 2].map(() => createHarness({ url: database.url, config })));
    const runners = workers.flatMap(({ newCtx }) =>
      jobs.map((job) => createTaskRunner(job, { newCtx, onPending: () => undefined })),
    );
    await enqueueTask(harness.newCtx(), 'service.re-encrypt', {});
    const wakeAll = () => runners.forEach((runner) => runner.wake());
    try {
      // A worker dies while it holds four ranges: their leases expire.
      runners[0]?.wake();
      const tasksOf = async (kind: string) => (await harness.query(`select from tasks where kind = $1`, [kind])).length;
      await eventually(async () => (await tasksOf('service.re-encrypt')) === 0, { what: 'the ranges' });
      // Three ranges for each of the three columns of the table.
      expect(await tasksOf('service.re-encrypt-range')).toBe(9);
      const lost = { kind: 'service.re-encrypt-range', limit: 4, leaseToken: 'dead', leaseMs: 1_500 };
      expect(await claimTasks(harness.newCtx().sql, lost)).toHaveLength(4);
      await eventually(
        async () => {
          wakeAll();
          return (await tasksOf('service.re-encrypt-range')) === 0;
        },
        { what: 'the end of all ranges' },
      );
    } finally {
      await Promise.all(runners.map((runner) => runner.stop(1_000)));
      await Promise.all(workers.map((worker) => worker.close()));
    }
    const keys = await harness.query(`select left(secret, 8) as key, count(*)::int as rows from webhooks group by 1`);
    expect(keys).toEqual([{ key: newer.id, rows }]);
    const written = await harness.query(
      `select count(*)::int as writes, count(distinct id)::int as rows, count(distinct by) > 1 as shared from writes`,
    );
    expect(written).toEqual([{ writes: rows, rows, shared: true }]);
  });
});
