import { MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import type { Logger } from 'pino';
import type { ListedMigration } from '../../migrations/migrations.ts';
import { StartError } from '../process/start-error.ts';
import { setUpWith } from './open-pool.ts';

// Requests queue up behind a migration that waits for a table, so it times out early and is retried, well before
// deadlock detection (1 s), which could cancel a request.
const tableLockMs = 300;
const lockNotAvailable = '55P03';
const insufficientPrivilege = '42501';

interface Run {
  databaseUrl: string;
  applicationName: string;
  /** Table of completed migrations. */
  table: string;
  list: readonly ListedMigration[];
  log: Logger;
}

/**
 * Runs the migrations. Returns false when a table was in use and `mayTryAgain` is set; the migrations before that one
 * are complete.
 */
export async function runMigrations(
  { databaseUrl, applicationName, table, list, log }: Run,
  mayTryAgain: boolean,
): Promise<boolean> {
  const orm = new MikroORM({
    clientUrl: databaseUrl,
    entities: [],
    driverOptions: {
      application_name: applicationName,
      ...setUpWith({ lock_timeout: tableLockMs }),
    },
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: {
      migrationsList: [...list],
      tableName: table,
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
  'The schema is older than this release, and the role of DATABASE_URL may not change it. Run `node dist/service/main.js migrate` as its owner first.';

/** Returns the error code of the driver, even if the ORM has wrapped the error. */
const codeOf = (error: unknown): unknown => {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return code ?? (cause === undefined ? undefined : codeOf(cause));
};
