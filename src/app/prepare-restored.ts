import pg from 'pg';
import { StartError } from '../core/process/start-error.ts';
import { catalog } from './features.ts';

/** Sessions of instances, not those of migrations and other commands. */
const sessionsOfInstances = `
  select from pg_stat_activity where datname = current_database()
    and application_name ~ '^agent-chat-service( (heartbeat|notifications|schedule|reads))?$'`;

/**
 * Checks that no instance uses the database: its unsent mails and deliveries would be dropped.
 * @throws StartError
 */
export async function requireNoInstance(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    if ((await client.query(sessionsOfInstances)).rowCount === 0) return;
  } finally {
    await client.end();
  }
  throw new StartError(
    'An instance uses this database, so its unsent mails and deliveries would be dropped. Stop all instances first, or add --force if these sessions are of instances that are gone.',
  );
}

/**
 * Prepares a database that was restored from a backup before an instance starts on it. Messages to webhooks, mailboxes
 * and chat platforms that were in flight at the time of the backup have been sent since, so they are marked to not be
 * sent again. Uses one transaction. Returns the number of affected rows by kind.
 */
export async function prepareRestoredDatabase(databaseUrl: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // The statement that is running reports the failure.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    const held: Record<string, number> = {};
    for (const { counts, sql } of catalog.restoreSteps) {
      const { rowCount } = await client.query(sql);
      if (counts) held[counts] = (held[counts] ?? 0) + (rowCount ?? 0);
    }
    await client.query('commit');
    return held;
  } finally {
    await client.end();
  }
}
