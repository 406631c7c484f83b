import { PostgresBackend } from '@agendajs/postgres-backend';
import type { AgendaBackend, JobRepository } from 'agenda';
import pg from 'pg';
import type { Logger } from 'pino';

/** Where Agenda keeps its schedule. */
export interface AgendaStore {
  backend: AgendaBackend;
  close(): Promise<void>;
}

interface AgendaStoreOptions {
  databaseUrl: string;
  /** When given, the schedule is kept there instead of in PostgreSQL. */
  mongodbUrl: string | null;
  log: Logger;
}

export const openAgendaStore = ({ databaseUrl, mongodbUrl, log }: AgendaStoreOptions): Promise<AgendaStore> =>
  mongodbUrl ? openMongoStore(mongodbUrl, log) : openPostgresStore(databaseUrl, log);

const collection = 'agenda_jobs';

async function openMongoStore(url: string, log: Logger): Promise<AgendaStore> {
  // Loaded where they are configured: they take 40 MB.
  const { MongoBackend } = await import('@agendajs/mongo-backend');
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(url, {
    serverSelectionTimeoutMS: 2_000,
    maxPoolSize: 4,
    appName: 'agent-chat-service',
  });
  try {
    const backend = new MongoBackend({ mongo: client.db(), collection });
    await backend.connect();
    return { backend: connected(backend, log), close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

const schema = 'agenda';
const schemaLockKey = 727_002;

// Two connections of its own: the house's pool reads times as text, which Agenda compares with dates. Its notifications
// stay off: a wake that is due now comes through wake-channel.ts, a later one is found by the poll before its time.
async function openPostgresStore(databaseUrl: string, log: Logger): Promise<AgendaStore> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 2,
    connectionTimeoutMillis: 2_000,
    query_timeout: 5_000,
    keepAlive: true,
    application_name: 'agent-chat-service agenda',
    options: `-c search_path=${schema}`,
  });
  outliveConnections(pool, (error) => log.warn({ err: error }, 'lost a connection to the schedule'));
  try {
    await createAgendaSchema(databaseUrl);
    const backend = new PostgresBackend({
      pool,
      tableName: collection,
      ensureSchema: false,
      disableNotifications: true,
    });
    await backend.connect();
    return { backend: connected(backend, log), close: () => pool.end() };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Lost connections, those in use among them, end no process: whoever uses one hears of it from its next statement. */
function outliveConnections(pool: pg.Pool, onLost: (error: Error) => void): void {
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', () => undefined));
}

const isLeftToOwner = `
  select to_regclass('${schema}.${collection}') is not null
    and not has_database_privilege(current_database(), 'create') as "isLeft"`;

/**
 * Makes the schedule's table, or brings it to Agenda's newest form. A role that may not create anything leaves that to
 * `npm run migrate`. Agenda's statements fail when two instances run them at the same moment, so one at a time does.
 */
export async function createAgendaSchema(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 2,
    connectionTimeoutMillis: 2_000,
    options: `-c search_path=${schema}`,
  });
  outliveConnections(pool, () => undefined);
  try {
    const lock = await pool.connect();
    try {
      const { rows } = await lock.query<{ isLeft: boolean }>(isLeftToOwner);
      if (rows[0]?.isLeft) return;
      await lock.query('select pg_advisory_lock($1)', [schemaLockKey]);
      await lock.query(`create schema if not exists ${schema}`);
      await new PostgresBackend({ pool, tableName: collection, disableNotifications: true }).connect();
    } finally {
      lock.release(true);
    }
  } finally {
    await pool.end();
  }
}

// Agenda does not look at what becomes of connect() in its constructor and of unlockJob(): a rejection would end the
// process. The first was done by then; a lock that stays runs out.
function connected(backend: AgendaBackend, log: Logger): AgendaBackend {
  const repository = Object.create(backend.repository) as JobRepository;
  repository.unlockJob = async (job) => {
    await backend.repository.unlockJob(job).catch((error: unknown) => {
      log.warn({ err: error }, 'a moment of the schedule stays locked for a while');
    });
  };
  return {
    name: backend.name,
    repository,
    ownsConnection: false,
    connect: async () => undefined,
    disconnect: async () => undefined,
  };
}
