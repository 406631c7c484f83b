import { setTimeout as sleep } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import type { Logger } from 'pino';
import { type ListedMigration, migrations } from '../../migrations/migrations.ts';
import { StartError } from '../process/start-error.ts';
import { setUpWith } from './open-pool.ts';

const lockKey = 727_001;

// Requests queue up behind a migration that waits for a table, so it gives up soon and retries: well before deadlock
// detection (1 s) fires, which could cancel a request.
const tableLockMs = 300;
const betweenTriesMs = 500;
const maxTries = 60;
const orphanPollMs = 20;
const lockNotAvailable = '55P03';
const insufficientPrivilege = '42501';
const migratorName = 'agent-chat-service migrator';

/**
 * Migrates the database to the newest schema. Any number of instances may call it at once: an advisory lock lets one run
 * while the others wait. Each migration is a transaction of its own, so a kill leaves only complete ones. Migrations of a
 * newer release are ignored, so an instance of the previous release can still start.
 *
 * @param databaseUrl leads to a session of PostgreSQL, not through a pooler in transaction mode
 * @throws the driver's error when a table stays in use for a minute, StartError when the role may not change the schema
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
    for (let attempt = 1; !(await runMigrations(databaseUrl, log, list, attempt < maxTries)); attempt++) {
      log.warn('a migration is waiting for a table that is in use');
      await sleep(betweenTriesMs);
    }
  } finally {
    await lock.end();
  }
}

/**
 * Ends migrator sessions whose process is dead: the holder of the lock is the only live one. PostgreSQL finishes the
 * statement of a dead client, and its commit would complete a migration that is already running again.
 */
async function endOrphans(lock: pg.Client): Promise<void> {
  const statement = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = $1 and datname = current_database() and usename = current_user`;
  while ((await lock.query(statement, [migratorName])).rowCount !== 0) await sleep(orphanPollMs);
}

/** Returns false when a table was in use and `mayTryAgain`; the migrations before it are complete. */
async function runMigrations(
  databaseUrl: string,
  log: Logger,
  list: readonly ListedMigration[],
  mayTryAgain: boolean,
): Promise<boolean> {
  const orm = await MikroORM.init({
    clientUrl: databaseUrl,
    entities: [],
    driverOptions: {
      application_name: migratorName,
      ...setUpWith({ lock_timeout: tableLockMs }),
    },
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: {
      migrationsList: [...list],
      tableName: 'migrations',
      transactional: true,
      allOrNothing: false,
      snapshot: false,
    },
    logger: () => undefined,
  });
  try {
    for (const done of await orm.migrator.up()) log.info({ migration: done.name }, 'migrated');
    return true;
  } catch (error) {
    if (mayTryAgain && codeOf(error) === lockNotAvailable) return false;
    if (codeOf(error) === insufficientPrivilege) throw new StartError(ownerNeeded, { cause: error });
    throw error;
  } finally {
    await orm.close(true);
  }
}

const ownerNeeded =
  'The schema is older than this release, and the role of DATABASE_URL may not change it. Run `npm run migrate` as its owner first.';

/** The code of the driver, which the ORM wraps. */
const codeOf = (error: unknown): unknown => {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return code ?? (cause === undefined ? undefined : codeOf(cause));
};
