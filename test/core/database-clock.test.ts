import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { moveBusinessTime, startDatabaseClock } from '../../src/core/database/database-clock.ts';
import type { Sql } from '../../src/core/database/sql.ts';
import { writeTask } from '../../src/core/tasks/tasks.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';
import { limitsTime } from '../support/wall-clock.ts';

const daySeconds = 86_400;

describe('the database clock', () => {
  let harness: Harness;
  const start = () => startDatabaseClock(harness.newCtx().sql);
  const databaseMs = async () =>
    (await harness.query<{ ms: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as ms'))[0]?.ms ??
    0;

  beforeAll(async () => {
    harness = await openHarness();
  });
  afterAll(() => harness.close());

  test('shows the database’s time however wrong the clock of the process is', limitsTime, async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(Date.now() + 120_000);
      const clock = await start();
      vi.setSystemTime(Date.now() - 7_200_000);
      expect(Math.abs(clock.now().getTime() - (await databaseMs()))).toBeLessThan(1_000);
      await clock.sync();
      expect(Math.abs(clock.realNow().getTime() - (await databaseMs()))).toBeLessThan(1_000);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is not shifted by a slow response', limitsTime, async () => {
    let delayMs = 0;
    const sql = async () => {
      const databaseMs = performance.now();
      await sleep(delayMs);
      return [{ databaseMs, offsetMs: 0 }];
    };
    const clock = await startDatabaseClock(sql as unknown as Sql);
    delayMs = 300;
    await clock.sync();
    expect(Math.abs(clock.now().getTime() - performance.now())).toBeLessThan(50);
  });

  test('moves business time for every instance, and real time for none', limitsTime, async () => {
    const [here, there] = [await start(), await start()];
    await moveBusinessTime(harness.newCtx(), daySeconds);
    await moveBusinessTime(harness.newCtx(), daySeconds);
    await Promise.all([here.sync(), there.sync()]);
    const real = await databaseMs();
    for (const clock of [here, there]) {
      expect(Math.abs(clock.now().getTime() - real - 2 * daySeconds * 1_000)).toBeLessThan(1_000);
      expect(Math.abs(clock.realNow().getTime() - real)).toBeLessThan(1_000);
    }
  });

  test('makes scheduled tasks due that much sooner and keeps the delays of retries', async () => {
    const ctx = harness.newCtx();
    await writeTask(ctx, 'test.month', {}, { delayMs: 30 * daySeconds * 1_000 });
    await writeTask(ctx, 'test.retry', {}, { delayMs: 60_000 });
    await harness.query(`update tasks set attempts = 1 where kind = 'test.retry'`);
    await moveBusinessTime(ctx, 10 * daySeconds);
    const due = `select kind, round(extract(epoch from run_at - now()) / 60)::integer as minutes from tasks order by kind`;
    expect(await harness.query(due)).toEqual([
      { kind: 'test.month', minutes: 20 * 24 * 60 },
      { kind: 'test.retry', minutes: 1 },
    ]);
  });
});

describe('/dev/clock', () => {
  let app: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    const env = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'e'.repeat(40) };
    app = await startTestApp({ env });
    other = await startTestApp({ env, databaseUrl: app.databaseUrl });
  });
  afterAll(async () => {
    await other.close();
    await app.close();
  });

  const clockOf = async (of: TestApp, body?: object): Promise<number> => {
    const response = await fetch(`${of.baseUrl}/dev/clock`, {
      ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return response.ok ? Date.parse(((await response.json()) as { now: string }).now) : response.status;
  };

  test('moves the time of all instances forward', async () => {
    expect(Math.abs((await clockOf(app)) - Date.now())).toBeLessThan(2_000);
    const moved = await clockOf(app, { seconds: 40 * daySeconds });
    expect(Math.abs(moved - Date.now() - 40 * daySeconds * 1_000)).toBeLessThan(2_000);
    await eventually(async () => (await clockOf(other)) >= moved, { what: 'the time of the other instance' });
    const ada = await other.signUp();
    expect(
      Math.abs(Date.parse((await app.call('GET', '/v1/auth/me', { as: ada.token })).body.created_at) - moved),
    ).toBeLessThan(60_000);
  });

  test('takes effect even when the notification is lost', async () => {
    const before = await clockOf(app);
    const database = new pg.Client({ connectionString: app.databaseUrl });
    await database.connect();
    await database.query(
      `insert into business_clock as c (offset_seconds) values (${daySeconds})
       on conflict (id) do update set offset_seconds = c.offset_seconds + excluded.offset_seconds`,
    );
    await database.end();
    await eventually(async () => (await clockOf(app)) >= before + daySeconds * 1_000, {
      what: 'the time of the database',
    });
  });

  test.each([{}, { seconds: -1 }, { seconds: 1.5 }, { seconds: 1, minutes: 1 }])('rejects %j', async (body) => {
    expect(await clockOf(app, body)).toBe(400);
  });
});
