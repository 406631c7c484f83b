import { type EntitySchema, MikroORM, type EntityClass } from '@mikro-orm/postgresql';
import pg from 'pg';
import { poolSql, type Sql } from './sql.ts';
import { StartError } from './start-error.ts';

/** The one connection to PostgreSQL of a process: entities and prepared statements share its pool. */
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
}

const connectTimeoutMs = 2_000;
const queryTimeoutMs = 5_000;

/** Connects and checks that the database answers. @throws the driver's error when it doesn't */
export async function connectDatabase({ url, entities, poolSize }: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [...entities],
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: queryTimeoutMs,
      statement_timeout: queryTimeoutMs,
      keepAlive: true,
      // What is sent together on one connection travels together: a transaction waits for fewer answers.
      pipeline: true,
      // Compiling a statement takes longer than any of ours runs.
      options: '-c jit=off',
      application_name: 'agent-chat-service',
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

/** @throws StartError that says which server does not answer, and why, without the password */
export async function requireDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    const { host, pathname } = new URL(url);
    const reason = (error as Error).message || (error as NodeJS.ErrnoException).code || 'no answer';
    throw new StartError(`PostgreSQL at ${host}${pathname} (DATABASE_URL) can't be used: ${reason}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}
