import { type EntitySchema, MikroORM, type EntityClass } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { idleConnectionMs, setUpWith } from './open-pool.ts';
import { poolSql, type Sql } from './sql.ts';

/** Connection pool of a process. Entities and prepared statements share it. */
export interface Database {
  orm: MikroORM;
  pool: pg.Pool;
  sql: Sql;
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  entities: readonly (EntityClass | EntitySchema)[];
  /** Largest number of connections in the pool. */
  poolSize: number;
  /** How long a statement waits for a connection, in milliseconds. */
  waitMs?: number;
}

const queryTimeoutMs = 5_000;
const frozenTimeoutMs = 10_000;

/** Creates the pool. It connects with the first statement. */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, entities, poolSize, waitMs = 2_000 } = options;
  // Does not use `init`: it looks for extensions and loads them from paths that do not exist in the bundled service.
  const orm = new MikroORM({
    clientUrl: url,
    entities: [...entities],
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis: waitMs,
      idleTimeoutMillis: idleConnectionMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
      // Statements that are sent together share a round trip, so a transaction waits less often.
      pipeline: true,
      application_name: 'agent-chat-service',
      // JIT compilation takes longer than any of our statements runs.
      ...setUpWith({
        statement_timeout: queryTimeoutMs,
        // Bounds how long a process that freezes inside a transaction keeps its locks.
        idle_in_transaction_session_timeout: frozenTimeoutMs,
        jit: 'off',
      }),
    },
    allowGlobalContext: false,
    forceUtcTimezone: true,
    ensureDatabase: false,
    dataloader: true,
    logger: () => undefined,
  });
  const pool = (await orm.em.getConnection().getNativeClient()) as pg.Pool;
  const close = async (): Promise<void> => {
    await orm.close(true);
    // MikroORM ends the pool only if an entity was read or written through it.
    if (!pool.ending) await pool.end();
  };
  return { orm, pool, sql: poolSql(pool), close };
}
