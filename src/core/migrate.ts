import { MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import type { Logger } from 'pino';
import { Migration0001House } from '../migrations/migration-0001-house.ts';
import { Migration0002Tasks } from '../migrations/migration-0002-tasks.ts';
import { Migration0003Webhooks } from '../migrations/migration-0003-webhooks.ts';
import { Migration0005AccountLives } from '../migrations/migration-0005-account-lives.ts';
import { Migration0006Search } from '../migrations/migration-0006-search.ts';
import { Migration0007Knowledge } from '../migrations/migration-0007-knowledge.ts';
import { Migration0009Billing } from '../migrations/migration-0009-billing.ts';
import { Migration0010Integrations } from '../migrations/migration-0010-integrations.ts';
import { Migration0011KnowledgeSample } from '../migrations/migration-0011-knowledge-sample.ts';

/** In the order in which they run. A migration is never changed once it is released. */
const migrations = [
  { name: 'migration-0001-house', class: Migration0001House },
  { name: 'migration-0002-tasks', class: Migration0002Tasks },
  { name: 'migration-0003-webhooks', class: Migration0003Webhooks },
  { name: 'migration-0005-account-lives', class: Migration0005AccountLives },
  { name: 'migration-0006-search', class: Migration0006Search },
  { name: 'migration-0007-knowledge', class: Migration0007Knowledge },
  { name: 'migration-0009-billing', class: Migration0009Billing },
  { name: 'migration-0010-integrations', class: Migration0010Integrations },
  { name: 'migration-0011-knowledge-sample', class: Migration0011KnowledgeSample },
];

const lockKey = 727_001;

/**
 * Brings the database to the newest schema. Any number of instances may call it at once: an advisory lock lets one run
 * and the others wait for it. Each migration is a transaction of its own.
 */
export async function migrate(databaseUrl: string, log: Logger): Promise<void> {
  const lock = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    application_name: 'agent-chat-service migrate',
  });
  lock.on('error', (error) => log.error({ err: error }, 'lost the migration lock'));
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [lockKey]);
    await runMigrations(databaseUrl, log);
  } finally {
    await lock.end();
  }
}

async function runMigrations(databaseUrl: string, log: Logger): Promise<void> {
  const orm = await MikroORM.init({
    clientUrl: databaseUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: {
      migrationsList: migrations,
      tableName: 'migrations',
      transactional: true,
      allOrNothing: false,
      snapshot: false,
    },
    logger: () => undefined,
  });
  try {
    for (const done of await orm.migrator.up()) log.info({ migration: done.name }, 'migrated');
  } finally {
    await orm.close(true);
  }
}
