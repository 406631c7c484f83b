import pg from 'pg';
import { catalog } from './features.ts';

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
