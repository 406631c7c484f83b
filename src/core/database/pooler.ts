import pg from 'pg';
import { StartError } from '../process/start-error.ts';
import { sqlState } from './database-errors.ts';

/** How a connection reaches PostgreSQL. */
interface Route {
  /** `transaction`: consecutive transactions of one connection can run in different sessions. */
  pooling: 'none' | 'session' | 'transaction';
  /** Whether a prepared statement is available in every session that the pooler assigns to a connection. */
  tracksStatements: boolean;
  database: DatabaseFacts;
}

/** What a database says about itself. */
interface DatabaseFacts {
  name: string;
  /** When its server started. With `name` it tells whether two URLs lead to the same database. */
  startedAt: string;
  version: string;
  versionNumber: number;
  encoding: string;
  isReadOnly: boolean;
}

const facts = `
  select current_database() as name, extract(epoch from pg_postmaster_start_time())::text as "startedAt",
    current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
    current_setting('server_encoding') as encoding, current_setting('transaction_read_only') = 'on' as "isReadOnly"`;
const minVersion = 15;

const probe = { name: 'pooler_probe', text: 'select pg_backend_pid() as pid' };
const maxRivals = 3;
const timeoutMs = 5_000;

/**
 * Detects how connections to `url` reach PostgreSQL. A pooler reports a process id of its own instead of that of the
 * backend. It pools transactions if a second connection gets the session of the first one between the first one's
 * statements.
 */
async function findRoute(url: string): Promise<Route> {
  const clients: pg.Client[] = [];
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    });
    client.on('error', () => undefined);
    clients.push(client);
    await client.connect();
    return client;
  };
  const pidOf = async (client: pg.Client): Promise<number> =>
    (await client.query<{ pid: number }>(probe)).rows[0]?.pid ?? 0;
  try {
    const client = await connect();
    const database = (await client.query<DatabaseFacts>(facts)).rows[0] as DatabaseFacts;
    const pid = await pidOf(client);
    if (pid === (client as pg.Client & { processID: number }).processID)
      return { pooling: 'none', tracksStatements: true, database };
    for (let rivals = 0; rivals < maxRivals; rivals++) {
      const rival = await connect();
      await rival.query('begin');
      const { rows } = await rival.query<{ pid: number }>('select pg_backend_pid() as pid');
      if (rows[0]?.pid !== pid) continue;
      // The rival keeps the session busy with its transaction, so this statement runs in another session, where it is
      // not prepared.
      const tracksStatements = await pidOf(client).then(
        () => true,
        (error: unknown) => {
          if (sqlState(error) === undefined) throw error;
          return false;
        },
      );
      return { pooling: 'transaction', tracksStatements, database };
    }
    return { pooling: 'session', tracksStatements: true, database };
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

/** URLs of `DATABASE_URL` and, for everything that needs a session of its own, `DATABASE_DIRECT_URL`. */
export interface DatabaseUrls {
  url: string;
  directUrl: string;
}

/**
 * Returns how connections to `url` reach PostgreSQL.
 * @throws StartError when it does not respond, when the database or a pooler lacks what the service needs, or when the
 * URLs lead to different databases
 */
export async function requireDatabase({ url, directUrl }: DatabaseUrls): Promise<Route['pooling']> {
  const route = await routeOf(url, 'DATABASE_URL');
  requireSuitable(route.database);
  if (route.pooling === 'transaction' && !route.tracksStatements) {
    throw new StartError(
      'DATABASE_URL points to a pooler in transaction mode that does not track prepared statements. Use session mode, or PgBouncer 1.21 or newer with max_prepared_statements above 0.',
    );
  }
  const direct = directUrl === url ? route : await routeOf(directUrl, 'DATABASE_DIRECT_URL');
  if (direct.pooling === 'transaction') {
    throw new StartError(
      'LISTEN and migration locks need sessions, which a pooler in transaction mode does not provide. Set DATABASE_DIRECT_URL to PostgreSQL itself, or to a pooler in session mode.',
    );
  }
  if (direct.database.name !== route.database.name || direct.database.startedAt !== route.database.startedAt) {
    throw new StartError(
      `DATABASE_DIRECT_URL leads to another database than DATABASE_URL: ${direct.database.name} instead of ${route.database.name}, or one of that name on another server. Set both to the same database.`,
    );
  }
  return route.pooling;
}

function requireSuitable({ version, versionNumber, encoding, isReadOnly, name }: DatabaseFacts): void {
  if (versionNumber < minVersion * 10_000) {
    throw new StartError(
      `DATABASE_URL points to PostgreSQL ${version}. Set it to a server of version ${minVersion} or newer.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `DATABASE_URL points to a database with the encoding ${encoding}. Set it to one with UTF8: create database ${name} encoding 'UTF8' template template0.`,
    );
  }
  if (isReadOnly) {
    throw new StartError(
      'DATABASE_URL points to a database that is read-only, such as a replica. Set it to the primary, and a replica to DATABASE_REPLICA_URL.',
    );
  }
}

async function routeOf(url: string, variable: string): Promise<Route> {
  try {
    return await findRoute(url);
  } catch (error) {
    const { host, pathname } = new URL(url);
    const reason = (error as Error).message || (error as NodeJS.ErrnoException).code || 'no answer';
    throw new StartError(`PostgreSQL at ${host}${pathname} (${variable}) cannot be used: ${reason}`);
  }
}
