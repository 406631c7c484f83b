import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startFakePooler } from '../support/fake-pooler.ts';

const poolName = 'agent-chat-service';

/** Counts sessions of the service by application name; sessions opened by a pooler have none. */
async function sessionsIn(db: Pick<pg.Client, 'query'>): Promise<Record<string, number>> {
  const { rows } = await db.query<{ name: string; count: number }>(
    `select application_name as name, count(*)::int as count from pg_stat_activity
     where datname = current_database() and starts_with(application_name, $1) group by 1`,
    [poolName],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, one) => total + one, 0);

async function work(app: TestApp): Promise<void> {
  await eventually(async () => (await fetch(`${app.baseUrl}/readyz`)).status === 200, { what: 'readiness' });
  const ada = await app.signUp();
  const { id } = await app.createConversation(ada.token);
  const send = () =>
    app.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content: 'Hello' } });
  expect((await send()).status).toBe(201);
  await Promise.all(Array.from({ length: 60 }, () => app.call('GET', '/v1/conversations', { as: ada.token })));
}

describe('an instance with DATABASE_DIRECT_URL', () => {
  test('has at most four sessions around the pooler, from its start to its end', async () => {
    const database = await createTestDatabase();
    const pooler = await startFakePooler(database.url, 'tracking');
    const observer = new pg.Client({ connectionString: database.url });
    await observer.connect();
    const seen: Record<string, number>[] = [];
    const stopped = new AbortController();
    const watched = (async () => {
      while (!stopped.signal.aborted) {
        seen.push(await sessionsIn(observer));
        await sleep(2);
      }
    })();
    try {
      const app = await startTestApp({ databaseUrl: pooler.url, env: { DATABASE_DIRECT_URL: database.url } });
      await work(app);
      expect(await sessionsIn(observer)).toEqual({ [`${poolName} notifications`]: 1, [`${poolName} schedule`]: 1 });
      await app.close();
    } finally {
      stopped.abort();
      await watched;
      await observer.end();
      await pooler.stop();
      await database.drop();
    }
    expect(seen.some((counts) => `${poolName} migrate` in counts)).toBe(true);
    expect(Math.max(...seen.map(sum))).toBeLessThanOrEqual(4);
  });
});

describe('an instance without a pooler', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ env: { DATABASE_POOL_SIZE: '6' } });
  });
  afterAll(() => app.close());

  const metrics = async (): Promise<string> => String((await app.call('GET', '/metrics')).body);
  const value = (text: string, series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')
        .at(-1),
    );

  test('has its pool and three sessions, which /metrics shows', async () => {
    await work(app);
    const { pool } = app.app.newCtx({ kind: 'system' });
    for (const client of await Promise.all(Array.from({ length: 6 }, () => pool.connect()))) client.release();
    expect(await sessionsIn(app.db)).toEqual({
      [poolName]: 6,
      [`${poolName} heartbeat`]: 1,
      [`${poolName} notifications`]: 1,
      [`${poolName} schedule`]: 1,
    });
    const text = await metrics();
    expect(value(text, 'database_pool_size')).toBe(6);
    for (const use of ['heartbeat', 'notifications', 'schedule'])
      expect(value(text, `database_sessions{use="${use}"}`)).toBe(1);
  });

  test('no longer counts a session that was lost, and counts its successor', async () => {
    const pidOf = `select pid from pg_stat_activity where datname = current_database() and application_name = $1`;
    const pids = async () =>
      (await app.db.query<{ pid: number }>(pidOf, [`${poolName} notifications`])).rows.map(({ pid }) => pid);
    const [lost] = await pids();
    await app.db.query(`select pg_terminate_backend($1)`, [lost]);
    await eventually(async () => (await pids()).some((pid) => pid !== lost), { what: 'the new session' });
    const isOne = async () => value(await metrics(), 'database_sessions{use="notifications"}') === 1;
    await eventually(isOne, { what: 'one session in the metrics' });
  });

  test('shows how long operations waited for a connection', async () => {
    const { pool } = app.app.newCtx({ kind: 'system' });
    const before = await metrics();
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const waiting = pool.query('select 1');
    for (const client of held) client.release();
    await waiting;
    const after = await metrics();
    for (const series of ['database_pool_wait_seconds_count', 'database_pool_wait_seconds_sum'])
      expect(value(after, series)).toBeGreaterThan(value(before, series));
  });
});
