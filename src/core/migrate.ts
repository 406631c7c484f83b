import { setTimeout as sleep } from 'node:timers/promises';
import { type Constructor, MikroORM } from '@mikro-orm/postgresql';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import type { Logger } from 'pino';
import { StartError } from './start-error.ts';
import { Migration0001House } from '../migrations/migration-0001-house.ts';
import { Migration0002Tasks } from '../migrations/migration-0002-tasks.ts';
import { Migration0003Webhooks } from '../migrations/migration-0003-webhooks.ts';
import { Migration0005AccountLives } from '../migrations/migration-0005-account-lives.ts';
import { Migration0006Search } from '../migrations/migration-0006-search.ts';
import { Migration0007Knowledge } from '../migrations/migration-0007-knowledge.ts';
import { Migration0009Billing } from '../migrations/migration-0009-billing.ts';
import { Migration0010Integrations } from '../migrations/migration-0010-integrations.ts';
import { Migration0011KnowledgeSample } from '../migrations/migration-0011-knowledge-sample.ts';
import { Migration0012KnowledgeProgress } from '../migrations/migration-0012-knowledge-progress.ts';
import { Migration0013KnowledgeWords } from '../migrations/migration-0013-knowledge-words.ts';
import { Migration0014OutboxQueue } from '../migrations/migration-0014-outbox-queue.ts';
import { Migration0015OlderSecrets } from '../migrations/migration-0015-older-secrets.ts';
import { Migration0016UnspacedWords } from '../migrations/migration-0016-unspaced-words.ts';

export interface ListedMigration {
  name: string;
  class: Constructor<Migration>;
  /**
   * Set on one that takes something away or makes it stricter, which instances of the release before must not use any
   * more: since which release they don't. Every other one only adds, so that old and new instances run side by side.
   */
  contracts?: string;
}

/** In the order in which they run. A migration is never changed once it is released. */
export const migrations: readonly ListedMigration[] = [
  { name: 'migration-0001-house', class: Migration0001House },
  { name: 'migration-0002-tasks', class: Migration0002Tasks },
  { name: 'migration-0003-webhooks', class: Migration0003Webhooks },
  { name: 'migration-0005-account-lives', class: Migration0005AccountLives },
  { name: 'migration-0006-search', class: Migration0006Search },
  { name: 'migration-0007-knowledge', class: Migration0007Knowledge },
  { name: 'migration-0009-billing', class: Migration0009Billing },
  { name: 'migration-0010-integrations', class: Migration0010Integrations },
  { name: 'migration-0011-knowledge-sample', class: Migration0011KnowledgeSample },
  { name: 'migration-0012-knowledge-progress', class: Migration0012KnowledgeProgress },
  { name: 'migration-0013-knowledge-words', class: Migration0013KnowledgeWords },
  { name: 'migration-0014-outbox-queue', class: Migration0014OutboxQueue },
  { name: 'migration-0015-older-secrets', class: Migration0015OlderSecrets },
  { name: 'migration-0016-unspaced-words', class: Migration0016UnspacedWords },
];

const lockKey = 727_001;

// A migration that waits for a table makes everybody behind it wait too, so it gives way and comes again: well before
// the second after which PostgreSQL takes those who wait for each other apart, at the cost of a request.
const tableLockMs = 300;
const betweenTriesMs = 500;
const maxTries = 60;
const orphanPollMs = 20;
const lockNotAvailable = '55P03';
const insufficientPrivilege = '42501';
const migratorName = 'agent-chat-service migrator';

/**
 * Brings the database to the newest schema. Any number of instances may call it at once: an advisory lock lets one run
 * and the others wait for it. Each migration is a transaction of its own, and a kill leaves whole ones only. Migrations of
 * a newer release that are done already are left alone, so an instance of the release before can still start.
 *
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
      log.warn('a migration waits for a table that is in use');
      await sleep(betweenTriesMs);
    }
  } finally {
    await lock.end();
  }
}

/**
 * Who has the lock is the only one, so whoever else migrates has lost its process. PostgreSQL goes on with the statement of
 * a client that is dead, and a commit under way would make a migration done that is already being done again.
 */
async function endOrphans(lock: pg.Client): Promise<void> {
  const statement = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = $1 and datname = current_database() and usename = current_user`;
  while ((await lock.query(statement, [migratorName])).rowCount !== 0) await sleep(orphanPollMs);
}

/** False when a table was in use and `mayTryAgain`; what is done by then stays done. */
async function runMigrations(
  databaseUrl: string,
  log: Logger,
  list: readonly ListedMigration[],
  mayTryAgain: boolean,
): Promise<boolean> {
  const orm = await MikroORM.init({
    clientUrl: databaseUrl,
    entities: [],
    driverOptions: { options: `-c lock_timeout=${tableLockMs}`, application_name: migratorName },
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
