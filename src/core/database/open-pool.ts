import pg from 'pg';
import type { Sessions, SessionUse } from './sessions.ts';
import { poolSql, type Sql } from './sql.ts';

/** Settings of each connection by their PostgreSQL name. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * Returns pool options that configure each new connection with a statement, because poolers reject settings in the
 * startup packet. Behind a pooler in transaction mode the settings may reach another session; docs/production.md
 * explains how to set them for the role.
 */
export function setUpWith(settings: SessionSettings): { onConnect(client: pg.ClientBase): Promise<void> } {
  const text = Object.entries(settings)
    .map(([name, value]) => `set ${name} to ${typeof value === 'number' ? value : pg.escapeLiteral(value)}`)
    .join('; ');
  return { onConnect: async (client) => void (await client.query(text)) };
}

/**
 * Longer than any interval of an idle service, because a new connection costs PostgreSQL more than a hundred
 * statements.
 */
export const idleConnectionMs = 60_000;

interface PoolOptions {
  url: string;
  /** Purpose, shown in pg_stat_activity. */
  use: SessionUse;
  size: number;
  /** How long a statement waits for a connection, in milliseconds. */
  waitMs?: number;
  queryTimeoutMs?: number;
  settings?: SessionSettings;
  sessions?: Sessions | undefined;
  onLost: (error: Error) => void;
}

/** Returns the application name of a session in pg_stat_activity. */
export const sessionName = (use: SessionUse): string => `agent-chat-service ${use}`;

/**
 * Opens a pool in addition to the request pool. A lost connection does not end the process: the next statement on it
 * fails.
 */
export function openPool(options: PoolOptions): pg.Pool {
  const { url, use, size, waitMs = 2_000, queryTimeoutMs, settings, sessions, onLost } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: idleConnectionMs,
    keepAlive: true,
    application_name: sessionName(use),
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
    ...(settings && setUpWith(settings)),
  });
  sessions?.watch(use, pool);
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Opens a separate connection for statements that must not wait behind those of requests. */
export function openConnection(options: Pick<PoolOptions, 'url' | 'use' | 'sessions' | 'onLost'>): {
  sql: Sql;
  close(): Promise<void>;
} {
  const pool = openPool({ ...options, size: 1, queryTimeoutMs: 5_000, settings: { statement_timeout: 5_000 } });
  return { sql: poolSql(pool), close: () => pool.end() };
}
