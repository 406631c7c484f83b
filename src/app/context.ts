import { randomUUID } from 'node:crypto';
import type { Actor } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import type { Database } from '../core/database/database.ts';

type Shared = Pick<Ctx, 'clock' | 'log' | 'config' | 'catalog' | 'ports'>;

/** Returns a function that creates a Ctx for each piece of work. Its EntityManager is forked on first access. */
export const createContextFactory =
  ({ database, ...shared }: Shared & { database: Database }) =>
  (actor: Actor, requestId: string = randomUUID()): Ctx => {
    let em: Ctx['em'] | undefined;
    return {
      get em() {
        return (em ??= database.orm.em.fork());
      },
      sql: database.sql,
      pool: database.pool,
      actor,
      requestId,
      ...shared,
    };
  };
