import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** The migrated database that every test database is a copy of. */
export const templateName = 'template_acs';

/** A database with the newest schema and no rows, for one test file. `drop` ends whatever is still connected to it. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = inject('databaseUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnce(adminUrl, `create database ${name} template ${templateName} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = name;
  return { url: url.href, drop: () => runOnce(adminUrl, `drop database if exists ${name} with (force)`) };
}

async function runOnce(adminUrl: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
