import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { type ListedMigration, migrations } from '../../migrations/migrations.ts';

const lockKey = 727_001;
/** Table of completed migrations. */
const table = 'migrations';
const migratorName = 'agent-chat-service migrator';

const betweenTriesMs = 500;
const maxTries = 60;
const orphanPollMs = 20;

/**
 * Migrates the database to the newest schema. Any number of instances may call it concurrently: an advisory lock lets
 * one run while the others wait. Each migration is a transaction of its own, so a killed process leaves only completed
 * ones. Migrations of a newer release are ignored, so an instance of the previous release can still start.
 *
 * @param databaseUrl connects to a session of PostgreSQL, not through a pooler in transaction mode
 * @throws the driver's error when a table stays in use for a minute; StartError when the role may not change the schema
 */
export async function migrate(databaseUrl: string, log: Logger, list = migrations): Promise<void> {
  const lock = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    application_name: 'agent-chat-service migrate',
  });
  lock.on('error', (error) => log.error({ err: error }, 'lost the migration lock'));
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [lockKey]);
    await endOrphans(lock);
    if (await isMigrated(lock, list)) return;
    const { runMigrations } = await import('./run-migrations.ts');
    const run = { databaseUrl, applicationName: migratorName, table, list, log };
    for (let attempt = 1; !(await runMigrations(run, attempt < maxTries)); attempt++) {
      log.warn('a migration is waiting for a table that is in use');
      await sleep(betweenTriesMs);
    }
  } finally {
    await lock.end();
  }
}

/**
 * Terminates migrator sessions of dead processes; the holder of the lock is the only live migrator. PostgreSQL finishes
 * the statement of a client that has died, and that commit would complete a migration that is already running again.
 */
async function endOrphans(lock: pg.Client): Promise<void> {
  const statement = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = $1 and datname = current_database() and usename = current_user`;
  while ((await lock.query(statement, [migratorName])).rowCount !== 0) await sleep(orphanPollMs);
}

/** Returns whether all migrations are complete, which is the case at most starts. */
async function isMigrated(lock: pg.Client, list: readonly ListedMigration[]): Promise<boolean> {
  const { rows: tables } = await lock.query(
    'select from pg_tables where schemaname = current_schema() and tablename = $1',
    [table],
  );
  if (tables.length === 0) return false;
  const { rows } = await lock.query<{ name: string }>(`select name from ${table}`);
  const done = new Set(rows.map(({ name }) => name));
  return list.every(({ name }) => done.has(name));
}
