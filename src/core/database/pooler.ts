import pg from 'pg';
import { StartError } from '../process/start-error.ts';
import { sqlState } from './database-errors.ts';

/** How a connection reaches PostgreSQL. */
interface Route {
  /** `transaction`: consecutive transactions of one connection can run in different sessions. */
  pooling: 'none' | 'session' | 'transaction';
  /** Whether a prepared statement is available in every session that the pooler assigns to a connection. */
  tracksStatements: boolean;
}

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
    const pid = await pidOf(client);
    if (pid === (client as pg.Client & { processID: number }).processID)
      return { pooling: 'none', tracksStatements: true };
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
      return { pooling: 'transaction', tracksStatements };
    }
    return { pooling: 'session', tracksStatements: true };
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
 * @throws StartError when it does not respond, or when a pooler lacks a feature that the service needs
 */
export async function requireDatabase({ url, directUrl }: DatabaseUrls): Promise<Route['pooling']> {
  const route = await routeOf(url, 'DATABASE_URL');
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
  return route.pooling;
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
