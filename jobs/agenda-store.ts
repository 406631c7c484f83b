import { PostgresBackend } from '@agendajs/postgres-backend';
import type { AgendaBackend, JobRepository } from 'agenda';
import type { Collection } from 'mongodb';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openPool } from '../src/core/database/open-pool.ts';
import type { Sessions } from '../src/core/database/sessions.ts';
import type { ScheduleTimes } from './agenda-alarm.ts';

/** Storage of Agenda's schedule. */
export interface AgendaStore {
  repository: JobRepository;
  times: ScheduleTimes;
  close(): Promise<void>;
}

interface AgendaStoreOptions {
  /** Connects to a session of PostgreSQL, not through a pooler in transaction mode. */
  databaseUrl: string;
  /** URL of the MongoDB database that stores the schedule. When null, PostgreSQL stores it. */
  mongodbUrl: string | null;
  sessions?: Sessions;
  log: Logger;
}

/** Opens the store in MongoDB if it is configured, otherwise in PostgreSQL. Rejects if it cannot connect. */
export const openAgendaStore = (options: AgendaStoreOptions): Promise<AgendaStore> =>
  options.mongodbUrl ? openMongoStore(options.mongodbUrl, options.log) : openPostgresStore(options);

const collection = 'agenda_jobs';

async function openMongoStore(url: string, log: Logger): Promise<AgendaStore> {
  // Imported only when configured, because these packages take 40 MB.
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
    return {
      repository: unlockingSafely(backend.repository, log),
      times: mongoTimes(client.db().collection(collection)),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

const schema = 'agenda';
const schemaLockKey = 727_002;
const queryTimeoutMs = 5_000;

// Uses a separate connection, because the pool of requests reads timestamps as text, which Agenda compares with dates.
// The notifications of this backend are off; agenda-alarm.ts notifies Agenda of due runs.
async function openPostgresStore({ databaseUrl, sessions, log }: AgendaStoreOptions): Promise<AgendaStore> {
  await createAgendaSchema(databaseUrl);
  const onLost = (error: Error) => log.warn({ err: error }, 'lost a connection to the schedule');
  const pool = openAgendaPool(databaseUrl, { sessions, onLost, queryTimeoutMs });
  try {
    const backend = new PostgresBackend({
      pool,
      tableName: collection,
      ensureSchema: false,
      disableNotifications: true,
    });
    await backend.connect();
    return {
      repository: unlockingSafely(backend.repository, log),
      times: postgresTimes(pool),
      close: () => pool.end(),
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/**
 * Opens a pool with a single session, because each instance has it in addition to its pool and without a pooler.
 * Agenda's statements are short and do not name a schema, so the search path selects it.
 */
const openAgendaPool = (
  url: string,
  options: Pick<Parameters<typeof openPool>[0], 'sessions' | 'onLost' | 'queryTimeoutMs'>,
): pg.Pool => openPool({ ...options, url, use: 'schedule', size: 1, waitMs: 5_000, settings: { search_path: schema } });

const lacksPrivilege = `
  select to_regclass('${schema}.${collection}') is not null
    and not has_database_privilege(current_database(), 'create') as "lacksPrivilege"`;

/**
 * Creates the table of the schedule, or migrates it to Agenda's newest schema. A role without the privilege to create
 * leaves that to `npm run migrate`. One instance runs at a time, because Agenda's statements fail when two processes
 * run them concurrently.
 */
export async function createAgendaSchema(databaseUrl: string): Promise<void> {
  const pool = openAgendaPool(databaseUrl, { onLost: () => undefined });
  try {
    const { rows } = await pool.query<{ lacksPrivilege: boolean }>(lacksPrivilege);
    if (rows[0]?.lacksPrivilege) return;
    // The pool has only one session, which holds the lock until the pool is closed.
    await pool.query('select pg_advisory_lock($1)', [schemaLockKey]);
    await pool.query(`create schema if not exists ${schema}`);
    await new PostgresBackend({ pool, tableName: collection, disableNotifications: true }).connect();
  } finally {
    await pool.end();
  }
}

// Each subquery uses an index. Runs of a kind that no longer exists, left by an older version, are ignored.
const selectNext = `
  select least(
    (select next_run_at from ${collection}
     where disabled = false and locked_at is null and next_run_at is not null and name = any ($1)
     order by next_run_at limit 1),
    (select locked_at + $2::float8 * interval '1 millisecond' from ${collection}
     where disabled = false and locked_at is not null and name = any ($1) order by locked_at limit 1)) as at`;

const listDue = `
  select distinct name from ${collection}
  where disabled = false and name = any ($1) and ((locked_at is null and next_run_at <= $2) or locked_at <= $3)`;

const postgresTimes = (pool: pg.Pool): ScheduleTimes => ({
  nextAt: async (kinds, lockMs) =>
    (await pool.query<{ at: Date | null }>(selectNext, [kinds, lockMs])).rows[0]?.at ?? null,
  dueKinds: async (kinds, now, lockMs) =>
    (await pool.query<{ name: string }>(listDue, [kinds, now, expiredAt(now, lockMs)])).rows.map(({ name }) => name),
});

interface StoredRun {
  name: string;
  nextRunAt: Date;
  lockedAt: Date;
}

/** Largest number of runs that one check reads. Kinds of the remaining runs are found by the next check. */
const runsAtOnce = 1_000;

const mongoTimes = (runs: Collection): ScheduleTimes => ({
  nextAt: async (kinds, lockMs) => {
    const enabled = { disabled: { $ne: true }, name: { $in: [...kinds] } };
    const [waiting, locked] = await Promise.all([
      runs.findOne<StoredRun>({ ...enabled, lockedAt: null, nextRunAt: { $ne: null } }, { sort: { nextRunAt: 1 } }),
      runs.findOne<StoredRun>({ ...enabled, lockedAt: { $ne: null } }, { sort: { lockedAt: 1 } }),
    ]);
    const times = [waiting?.nextRunAt.getTime() ?? Infinity, (locked?.lockedAt.getTime() ?? Infinity) + lockMs];
    return Math.min(...times) < Infinity ? new Date(Math.min(...times)) : null;
  },
  dueKinds: async (kinds, now, lockMs) => {
    const filter = {
      disabled: { $ne: true },
      name: { $in: [...kinds] },
      $or: [{ lockedAt: null, nextRunAt: { $lte: now } }, { lockedAt: { $lte: expiredAt(now, lockMs) } }],
    };
    const due = await runs.find<StoredRun>(filter, { limit: runsAtOnce }).toArray();
    return [...new Set(due.map(({ name }) => name))];
  },
});

const expiredAt = (now: Date, lockMs: number): Date => new Date(now.getTime() - lockMs);

// Agenda ignores the promise of unlockJob(), so a rejection would end the process. A lock that remains expires.
function unlockingSafely(repository: JobRepository, log: Logger): JobRepository {
  const safe = Object.create(repository) as JobRepository;
  safe.unlockJob = async (job) => {
    await repository.unlockJob(job).catch((error: unknown) => {
      log.warn({ err: error }, 'a scheduled run stays locked until its lock expires');
    });
  };
  return safe;
}

/**
 * Returns a backend for a store that is connected already. Agenda ignores the promise of connect() in its constructor.
 */
export const connectedBackend = (repository: JobRepository): AgendaBackend => ({
  name: 'connected',
  repository,
  ownsConnection: false,
  connect: async () => undefined,
  disconnect: async () => undefined,
});
