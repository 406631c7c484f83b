import pg from 'pg';
import { catalog } from './features.ts';

/**
 * Prepares a database that was restored from a backup, before an instance starts on it: what was in flight to webhooks,
 * mailboxes and chat platforms when the backup was made has been sent since, so it is not sent again. One transaction.
 * Returns the number of rows by what was held back.
 */
export async function holdBackWhatWasSent(databaseUrl: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // The running statement reports the failure.
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
