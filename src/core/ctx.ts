import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Actor } from './actor.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Sql } from './sql.ts';

/**
 * What the product needs from outside. Each feature adds its own port by declaration merging in `x.ports.ts`, and
 * `app.ts` is the one place that builds them.
 */
export interface Ports {
  /** A Ctx of the service itself for work that outlives the request which caused it. */
  background(): Ctx;
}

/** All that an operation may touch. One per request, job or subscription; `inTransaction` derives another. */
export interface Ctx {
  /** Made when it is first asked for: most reads never do, and it costs more than their query. Spreading a Ctx asks for it. */
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
