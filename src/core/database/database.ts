import { type EntitySchema, MikroORM, type EntityClass } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { idleConnectionMs, setUpWith } from './open-pool.ts';
import { poolSql, type Sql } from './sql.ts';

/** The pool of a process: entities and prepared statements share it. */
export interface Database {
  orm: MikroORM;
  pool: pg.Pool;
  sql: Sql;
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  entities: readonly (EntityClass | EntitySchema)[];
  /** Connections in the pool. */
  poolSize: number;
  /** How long a statement waits for a connection. */
  waitMs?: number;
}

const queryTimeoutMs = 5_000;
const frozenTimeoutMs = 10_000;

/** Prepares the pool; it connects with the first statement. */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, entities, poolSize, waitMs = 2_000 } = options;
  // Not `init`, which looks for extensions and loads them from where the bundle of the service is not.
  const orm = new MikroORM({
    clientUrl: url,
    entities: [...entities],
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis: waitMs,
      idleTimeoutMillis: idleConnectionMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
      // Statements that are sent together travel together: a transaction waits for fewer answers.
      pipeline: true,
      application_name: 'agent-chat-service',
      // JIT compilation of a statement takes longer than any of ours runs.
      ...setUpWith({
        statement_timeout: queryTimeoutMs,
        // A process that is frozen inside a transaction must not keep its locks for longer than its leases.
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
    // MikroORM ends the pool only when an entity went over it.
    if (!pool.ending) await pool.end();
  };
  return { orm, pool, sql: poolSql(pool), close };
}
