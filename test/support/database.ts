import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

/** The migrated database from which every test database is cloned. */
export const templateName = 'template_acs';

/** Creates a database with the newest schema and no rows, for one test file. `drop` also ends its connections. */
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

/** Waits for connections that are being closed: cutting one off would raise an error that no code handles. */
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
