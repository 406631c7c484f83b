import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

/** The migrated database that every test database is a copy of. */
export const templateName = 'template_acs';

/** A database with the newest schema and no rows, for one test file. `drop` ends whatever is still connected to it. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = inject('databaseUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(adminUrl, (admin) =>
    admin.query(`create database ${name} template ${templateName} strategy file_copy`),
  );
  const url = new URL(adminUrl);
  url.pathname = name;
  return { url: url.href, drop: () => dropDatabase(adminUrl, name) };
}

const connectionsOf = `select 1 from pg_stat_activity where datname = $1 limit 1`;

/** Connections that are just being closed are waited for: one that is cut off then would fail in nobody's hands. */
async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async (admin) => {
    for (let tries = 0; tries < 100; tries++) {
      if ((await admin.query(connectionsOf, [name])).rowCount === 0) break;
      await sleep(10);
    }
    await admin.query(`drop database if exists ${name} with (force)`);
  });
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
