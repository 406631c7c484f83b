import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLogger } from '../../src/core/process/log.ts';
import { migrate } from '../../src/core/database/migrate.ts';

const name = `migrate_${randomBytes(6).toString('hex')}`;
const log = createLogger('silent');
let url: string;
let admin: pg.Client;

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('databaseUrl') });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const own = new URL(inject('databaseUrl'));
  own.pathname = name;
  url = own.href;
});
afterAll(async () => {
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
});

test('instances that start at once on an empty database migrate it once, and a later start changes nothing', async () => {
  await Promise.all([migrate(url, log), migrate(url, log), migrate(url, log)]);
  await migrate(url, log);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`select name from migrations`);
  await client.end();
  expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(0);
});

test('statements of a dead migrator are terminated before the next one starts', async () => {
  const orphan = new pg.Client({ connectionString: url, application_name: 'agent-chat-service migrator' });
  orphan.on('error', () => undefined);
  await orphan.connect();
  await orphan.query('begin; create table half ()');
  await migrate(url, log);
  await expect(orphan.query('commit')).rejects.toThrow();
});

test('every foreign key has a complete index that begins with its columns', async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`
    select c.conrelid::regclass::text as "table", c.conname as key from pg_constraint c
    where c.contype = 'f' and not exists (
      select 1 from pg_index i where i.indrelid = c.conrelid and i.indpred is null and (i.indkey::smallint[])[0:cardinality(c.conkey) - 1] = c.conkey)
    and c.connamespace = 'public'::regnamespace`);
  await client.end();
  expect(rows).toEqual([]);
});
