import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { purgeRows } from '../../src/accounts/deletion/purge-rows.ts';
import { migrate } from '../../src/core/database/migrate.ts';
import { createLogger } from '../../src/core/process/log.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import { createEventPartitions, purgeDeliveries, purgeEvents } from '../../src/webhooks/deliveries/purge-deliveries.ts';
import { openHarness } from '../support/open-harness.ts';
import type { Harness } from '../support/harness.ts';
import { createRoleDatabase } from '../support/serving-role.ts';

const log = createLogger('silent');
/** Four weeks, so that the result does not depend on the weekday. */
const retentionDays = 28;
const { signal } = new AbortController();

const seedAccount = `
  insert into users (id, email, username, password_hash, email_verified, plan, created_at, updated_at)
  values ('usr_1', 'a@example.com', 'a', '', false, 'free', now(), now())`;

/** SQL: the partitions of a table, oldest first. */
const partitionsOf = (table: string) =>
  `select name, starts_at as "startsAt", ends_at as "endsAt" from list_partitions('${table}') order by 2`;

describe('the partitions of events and deliveries', () => {
  let harness: Harness;

  beforeAll(async () => {
    harness = await openHarness({ config: { webhooks: { retentionDays } } });
    await harness.query(seedAccount);
    await harness.query(`
      insert into webhooks (id, user_id, url, events, secret, created_at, updated_at)
      values ('wh_1', 'usr_1', 'https://example.com/', '{agent.created}', '', now(), now())`);
  });
  afterAll(() => harness?.close());

  /** Creates the partitions of the week that started `weeksAgo`, with a row in each table. */
  async function addOldWeek(weeksAgo: number, { status = 'delivered', isQueued = false } = {}): Promise<string> {
    const [{ startsAt, endsAt, suffix } = { startsAt: '', endsAt: '', suffix: '' }] = await harness.query<{
      startsAt: string;
      endsAt: string;
      suffix: string;
    }>(
      `select week::text as "startsAt", (week + interval '168 hours')::text as "endsAt", 'old_' || $1 as suffix
       from (select date_trunc('week', now(), 'UTC') - $1::int * interval '168 hours' as week) w`,
      [weeksAgo],
    );
    for (const table of ['outbox_events', 'webhook_deliveries'])
      await harness.query(
        `create table partitions.${table}_${suffix} partition of ${table} for values from ('${startsAt}') to ('${endsAt}')`,
      );
    const [{ seq } = { seq: 0 }] = await harness.query<{ seq: number }>(
      `insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
       values ($1, 'usr_1', 'agent.created', '{}', $2, now()) returning seq::int`,
      [`evt_${suffix}`, startsAt],
    );
    if (isQueued) await harness.query('insert into outbox_queue (seq) values ($1)', [seq]);
    await harness.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at)
       values ($1, 'wh_1', $2, 'agent.created', $3, $4, $4)`,
      [`dlv_${suffix}`, `evt_${suffix}`, status, startsAt],
    );
    return suffix;
  }

  const ids = async (table: string) =>
    (await harness.query<{ id: string }>(`select id from ${table}`)).map(({ id }) => id);

  test('exist for this week and the next two, without a gap', async () => {
    for (const table of ['outbox_events', 'webhook_deliveries']) {
      const weeks = await harness.query<{ startsAt: Date; endsAt: Date }>(partitionsOf(table));
      expect(weeks).toHaveLength(3);
      expect(weeks[0]!.startsAt.getTime()).toBeLessThanOrEqual(Date.now());
      expect(weeks.slice(1).map(({ startsAt }) => startsAt)).toEqual(weeks.slice(0, -1).map(({ endsAt }) => endsAt));
    }
    expect(await createEventPartitions(harness.newCtx())).toBe(0);
  });

  test('are created when they are missing, with the rows that arrived meanwhile', async () => {
    const [next] = (await harness.query<{ name: string; startsAt: Date }>(partitionsOf('outbox_events'))).slice(1);
    await harness.query(`drop table partitions.${next!.name}`);
    await harness.query(
      `insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
       values ('evt_early', 'usr_1', 'agent.created', '{}', $1, now())`,
      [next!.startsAt],
    );
    expect(await createEventPartitions(harness.newCtx())).toBe(1);
    expect(
      await harness.query(`select tableoid::regclass::text as at from outbox_events where id = 'evt_early'`),
    ).toEqual([{ at: `partitions.${next!.name}` }]);
  });

  test('are dropped whole once their last row is older than the retention', async () => {
    const expired = await addOldWeek(5);
    const kept = await addOldWeek(4);
    expect(await purgeDeliveries(harness.newCtx(), signal)).toBe(1);
    expect(await ids('webhook_deliveries')).toEqual([`dlv_${kept}`]);
    expect(await ids('outbox_events')).toContain(`evt_${expired}`);
    await addOldWeek(8);
    expect(await purgeEvents(harness.newCtx(), signal)).toBe(1);
    expect(await ids('outbox_events')).toEqual(expect.arrayContaining([`evt_${expired}`, `evt_${kept}`]));
    expect(await ids('outbox_events')).not.toContain('evt_old_8');
  });

  test('are kept while a delivery is pending, or an event is not handed to webhooks', async () => {
    const suffix = await addOldWeek(10, { status: 'pending', isQueued: true });
    await purgeDeliveries(harness.newCtx(), signal);
    await purgeEvents(harness.newCtx(), signal);
    expect(await ids('webhook_deliveries')).toContain(`dlv_${suffix}`);
    expect(await ids('outbox_events')).toContain(`evt_${suffix}`);
    await harness.query(`update webhook_deliveries set status = 'delivered' where id = 'dlv_${suffix}'`);
    // Events are purged although the other purge fails.
    await harness.query('delete from outbox_queue');
    await purgeEvents(harness.newCtx(), signal);
    expect(await ids('outbox_events')).not.toContain(`evt_${suffix}`);
  });

  test('have a default for rows of a wrong clock, which are purged by age', async () => {
    await harness.query(
      `insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
       values ('evt_long_ago', 'usr_1', 'agent.created', '{}', '2020-01-01', now())`,
    );
    expect(await purgeEvents(harness.newCtx(), signal)).toBe(1);
    expect(await ids('outbox_events')).not.toContain('evt_long_ago');
  });
});

describe('the purge of an account', () => {
  test('removes its rows of every partition, and no other account’s', async () => {
    const harness = await openHarness();
    await harness.query(`
      insert into users (id, email, username, password_hash, email_verified, plan, created_at, updated_at)
      select 'usr_' || n, n || '@example.com', 'u' || n, '', false, 'free', now(), now() from generate_series(1, 2) n`);
    await harness.query(`
      insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
      select 'evt_' || n, 'usr_' || n % 2 + 1, 'agent.created', '{}', now() + n * interval '1 day', now()
      from generate_series(0, 19) n`);
    let removed = 0;
    await purgeRows(harness.newCtx(), 'usr_1', async (_tx, table, count) => {
      if (table === 'outbox_events') removed += count;
    });
    const left = await harness.query('select account_id as account, count(*)::int as n from outbox_events group by 1');
    await harness.close();
    expect(left).toEqual([{ account: 'usr_2', n: 10 }]);
    expect(removed).toBe(10);
  });
});

describe('the migration to partitions', () => {
  test('keeps the rows of existing tables, and their numbers continue', async () => {
    const name = `partitions_${randomBytes(6).toString('hex')}`;
    const admin = new pg.Client({ connectionString: inject('databaseUrl') });
    await admin.connect();
    await admin.query(`create database ${name}`);
    const url = Object.assign(new URL(inject('databaseUrl')), { pathname: name }).href;
    const client = new pg.Client({ connectionString: url });
    try {
      const before = migrations.filter((one) => one.name < 'migration-0022');
      await migrate(url, log, before);
      await client.connect();
      await client.query(seedAccount);
      await client.query(`
        insert into webhooks (id, user_id, url, events, secret, secret_is_generated, created_at, updated_at)
        values ('wh_1', 'usr_1', 'https://example.com/', '{agent.created}', '', true, now(), now());
        insert into outbox_events (id, account_id, type, data, created_at)
        select 'evt_' || n, 'usr_1', 'agent.created', '{}', now() - n * interval '1 day' from generate_series(0, 40) n;
        insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at, finished_at, attempt_count)
        select 'dlv_' || n, 'wh_1', 'evt_' || n, 'agent.created', 'delivered', now(), now() - n * interval '1 day', now(), 1
        from generate_series(0, 40) n`);

      await migrate(url, log);
      const insert = `insert into outbox_events (id, account_id, type, data, created_at)
        values ('evt_next_week', 'usr_1', 'agent.created', '{}', now() + interval '7 days') returning seq::int, tableoid::regclass::text as at`;
      const { rows } = await client.query<{ seq: number; at: string }>(insert);
      expect(rows[0]?.seq).toBe(42);
      expect(rows[0]?.at).toMatch(/^partitions\.outbox_events_\d{8}$/);
      const counted = await client.query(
        `select (select count(*)::int from outbox_events) as events, (select count(*)::int from webhook_deliveries) as deliveries,
          (select delivered from webhook_hours) as delivered`,
      );
      expect(counted.rows).toEqual([{ events: 42, deliveries: 41, delivered: 41 }]);
    } finally {
      await client.end();
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    }
  });
});

describe('the serving role', () => {
  test('creates and drops partitions, which it does not own', async () => {
    const database = await createRoleDatabase(inject('superuserUrl'));
    try {
      await migrate(database.ownerUrl, log);
      const role = new pg.Client({ connectionString: database.url });
      await role.connect();
      expect((await role.query('select create_partitions(4) as created')).rows).toEqual([{ created: 4 }]);
      expect((await role.query(`select drop_partition('outbox_events', interval '30 days') as dropped`)).rows).toEqual([
        { dropped: false },
      ]);
      await expect(role.query(`select drop_partition('users', interval '30 days')`)).rejects.toThrow('cannot drop');
      await expect(role.query(`select drop_partition('outbox_events', interval '1 hour')`)).rejects.toThrow(
        'cannot drop',
      );
      await role.end();
    } finally {
      await database.drop();
    }
  });
});
