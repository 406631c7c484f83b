import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Actor } from './actor.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { Sql } from './database/sql.ts';

/**
 * Interfaces to systems outside the service. Each feature merges its own in `x.ports.ts`; `src/app` creates the
 * implementations.
 */
export interface Ports {
  /** Returns a Ctx of the system actor, for work that outlives the request that started it. */
  background(): Ctx;
}

/**
 * Everything that an operation may use. Each request, job and subscription has its own Ctx; `inTransaction` derives
 * another one. `catalog.ts` adds the lists of all features.
 */
export interface Ctx {
  /**
   * Created on first access, because most requests never need it and creating it costs more than their query. Spreading
   * a Ctx accesses it.
   */
  readonly em: EntityManager;
  /** Runs prepared statements on the pool or, inside `inTransaction`, on the connection of the transaction. */
  sql: Sql;
  /** Used by `inTransaction` only; operations use `em` and `sql`. */
  pool: pg.Pool;
  actor: Actor;
  clock: Clock;
  log: Logger;
  requestId: string;
  config: Config;
  ports: Ports;
}

/** Returns a copy of the Ctx for another caller. */
export const withActor = (ctx: Ctx, actor: Actor): Ctx => withProperties(ctx, { actor: { value: actor } });

/** Returns a copy of the Ctx whose statements run elsewhere. `em` creates its EntityManager on first access. */
export function withSql(
  ctx: Ctx,
  { sql, pool = ctx.pool, em }: { sql: Sql; pool?: pg.Pool; em: () => EntityManager },
): Ctx {
  return withProperties(ctx, { sql: { value: sql }, pool: { value: pool }, em: { get: em } });
}

// Copies descriptors, because spreading a Ctx accesses its `em`.
const withProperties = (ctx: Ctx, changes: PropertyDescriptorMap): Ctx =>
  Object.defineProperties({} as Ctx, {
    ...Object.getOwnPropertyDescriptors(ctx),
    ...Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, { ...change, enumerable: true }])),
  });
