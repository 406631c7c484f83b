import { PostgresBackend } from '@agendajs/postgres-backend';
import type { AgendaBackend, JobRepository } from 'agenda';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openPool } from '../src/core/database/open-pool.ts';

/** Where Agenda keeps its schedule. */
export interface AgendaStore {
  backend: AgendaBackend;
  close(): Promise<void>;
}

interface AgendaStoreOptions {
  /** Leads to a session of PostgreSQL, not through a pooler in transaction mode. */
  databaseUrl: string;
  /** When given, the schedule is kept there instead of in PostgreSQL. */
  mongodbUrl: string | null;
  log: Logger;
}

export const openAgendaStore = ({ databaseUrl, mongodbUrl, log }: AgendaStoreOptions): Promise<AgendaStore> =>
  mongodbUrl ? openMongoStore(mongodbUrl, log) : openPostgresStore(databaseUrl, log);

const collection = 'agenda_jobs';

async function openMongoStore(url: string, log: Logger): Promise<AgendaStore> {
  // Loaded only when configured: they take 40 MB.
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
const queryTimeoutMs = 5_000;

// Connections of its own: the pool of requests reads times as text, which Agenda compares with dates. Agenda's
// notifications stay off: wakes that are due now come through wake-channel.ts, its poll finds later ones in time.
async function openPostgresStore(databaseUrl: string, log: Logger): Promise<AgendaStore> {
  await createAgendaSchema(databaseUrl);
  const onLost = (error: Error) => log.warn({ err: error }, 'lost a connection to the schedule');
  const pool = openAgendaPool(databaseUrl, onLost, queryTimeoutMs);
  try {
    const backend = new PostgresBackend({
      pool,
      tableName: collection,
      ensureSchema: false,
      disableNotifications: true,
    });
    await backend.connect();
    return { backend: connected(backend, log, dueKindsOf(pool)), close: () => pool.end() };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Agenda's statements name no schema, so the search path leads to it. */
const openAgendaPool = (url: string, onLost: (error: Error) => void, queryTimeoutMs?: number): pg.Pool =>
  openPool({
    url,
    name: 'agent-chat-service agenda',
    size: 2,
    settings: { search_path: schema },
    onLost,
    ...(queryTimeoutMs !== undefined && { queryTimeoutMs }),
  });

const isLeftToOwner = `
  select to_regclass('${schema}.${collection}') is not null
    and not has_database_privilege(current_database(), 'create') as "isLeft"`;

/**
 * Creates the table of the schedule, or migrates it to Agenda's newest form. A role without the right to create leaves
 * that to `npm run migrate`. One instance at a time: Agenda's statements fail when two run them at once.
 */
export async function createAgendaSchema(databaseUrl: string): Promise<void> {
  const pool = openAgendaPool(databaseUrl, () => undefined);
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

/** The kinds that have a run to lock, with Agenda's own condition. */
type DueKinds = (before: Date, lockedBefore: Date) => Promise<ReadonlySet<string>>;

const listDue = `
  select distinct name from ${collection}
  where disabled = false and ((locked_at is null and next_run_at <= $1) or locked_at <= $2)`;

const dueKindsOf =
  (pool: pg.Pool): DueKinds =>
  async (before, lockedBefore) =>
    new Set((await pool.query<{ name: string }>(listDue, [before, lockedBefore])).rows.map(({ name }) => name));

/** Agenda looks for each kind on its own, once a second. One statement tells all of them which kinds to look for. */
function lookTogether(repository: JobRepository, dueKinds: DueKinds): JobRepository['getNextJobToRun'] {
  let looking: Promise<ReadonlySet<string>> | undefined;
  const look: DueKinds = (before, lockedBefore) => {
    if (!looking) {
      looking = dueKinds(before, lockedBefore);
      // Agenda asks for all kinds in the same turn of the event loop.
      setImmediate(() => (looking = undefined));
    }
    return looking;
  };
  return async (kind, before, lockedBefore, now, options) =>
    (await look(before, lockedBefore)).has(kind)
      ? repository.getNextJobToRun(kind, before, lockedBefore, now, options)
      : undefined;
}

// Agenda ignores the promises of connect() in its constructor and of unlockJob(): a rejection would end the process. The
// store is connected already, and a lock that stays expires.
function connected(backend: AgendaBackend, log: Logger, dueKinds?: DueKinds): AgendaBackend {
  const repository = Object.create(backend.repository) as JobRepository;
  if (dueKinds) repository.getNextJobToRun = lookTogether(backend.repository, dueKinds);
  repository.unlockJob = async (job) => {
    await backend.repository.unlockJob(job).catch((error: unknown) => {
      log.warn({ err: error }, 'a scheduled run stays locked until its lock expires');
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
