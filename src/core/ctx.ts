import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Actor } from './actor.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { Sql } from './database/sql.ts';

/** Interfaces to the world outside the service. Each feature merges its own into this in `x.ports.ts`; `src/app` builds them. */
export interface Ports {
  /** Returns a Ctx of the system actor, for work that outlives the request that caused it. */
  background(): Ctx;
}

/**
 * Everything that an operation may use. There is one per request, job or subscription; `inTransaction` derives another.
 * `catalog.ts` merges the lists of all features into it.
 */
export interface Ctx {
  /** Created when it is first read: most requests never do, and it costs more than their query. Spreading a Ctx reads it. */
  readonly em: EntityManager;
  /** Prepared SQL on the pool, or on the transaction's connection inside `inTransaction`. */
  sql: Sql;
  /** For `inTransaction`; operations use `em` and `sql`. */
  pool: pg.Pool;
  actor: Actor;
  clock: Clock;
  log: Logger;
  requestId: string;
  config: Config;
  ports: Ports;
}
