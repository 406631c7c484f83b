import type { Transaction } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Ctx } from '../ctx.ts';
import { isAftermath, retryTransient } from './database-errors.ts';
import { clientSql, gatherWrites, type Sql, type SqlValue, type Statement } from './sql.ts';

interface OpenTransaction {
  em: EntityManager | null;
  afterCommit: (() => void)[];
  /** Statements whose results are first awaited at the commit. */
  sent: Promise<unknown>[];
  /** Of the statement that failed first. */
  failure: unknown;
  translators: ((error: unknown) => unknown)[];
}

/** Keyed by the `sql` of their Ctx, which is unique. */
const openTransactions = new WeakMap<Sql, OpenTransaction>();

/**
 * Runs `fn` in one PostgreSQL transaction, shared by the `em` and the `sql` of the Ctx that it gets. Entities are
 * flushed before the commit; a nested call joins the transaction that is open. Deadlocks and serialization failures are
 * tried again, so `fn` must be repeatable and must not reach the network.
 */
export async function inTransaction<Result>(ctx: Ctx, fn: (ctx: Ctx) => Promise<Result>): Promise<Result> {
  if (isInTransaction(ctx)) return fn(ctx);
  return retryTransient(() => runTransaction(ctx, fn));
}

/** Calls `fn` once the transaction of `ctx` has committed, never when it rolls back; at once outside of one. */
export function onCommitted(ctx: Ctx, fn: () => void): void {
  const open = openTransactions.get(ctx.sql);
  if (open) open.afterCommit.push(fn);
  else fn();
}

/**
 * Sends a statement of the transaction without waiting for its result. The commit is sent with it, and fails if it fails.
 * Outside a transaction it waits.
 */
export async function sendSql(
  ctx: Ctx,
  statement: Statement,
  values: readonly SqlValue[],
  onRows: (rows: readonly object[]) => void = () => undefined,
): Promise<void> {
  const open = openTransactions.get(ctx.sql);
  const sent = ctx.sql<object>(statement, values).then(onRows);
  if (!open) return sent;
  sent.catch(() => undefined);
  open.sent.push(sent);
}

/** Passes the error that makes the transaction of `ctx` fail through `translate`, for statements that are sent by `sendSql`. */
export function translateFailure(ctx: Ctx, translate: (error: unknown) => unknown): void {
  openTransactions.get(ctx.sql)?.translators.push(translate);
}

export const isInTransaction = (ctx: Pick<Ctx, 'sql'>): boolean => openTransactions.has(ctx.sql);

async function runTransaction<Result>(ctx: Ctx, fn: (ctx: Ctx) => Promise<Result>): Promise<Result> {
  const client = await ctx.pool.connect();
  const open: OpenTransaction = { em: null, afterCommit: [], sent: [], failure: undefined, translators: [] };
  let broken: Error | undefined;
  let result: Result;
  try {
    // Sent ahead of the first statement, in one go.
    gatherWrites(client);
    const begun = client.query('begin');
    begun.catch(() => undefined);
    const sql = transactionSql(client, open);
    openTransactions.set(sql, open);
    try {
      result = await fn(onConnection(ctx, client, sql, open));
      await begun;
      await open.em?.flush();
    } finally {
      openTransactions.delete(sql);
    }
    gatherWrites(client);
    // After a failed statement PostgreSQL rolls back instead, without calling that an error.
    await Promise.all([...open.sent, client.query('commit')]);
  } catch (error) {
    broken = await rollback(client);
    // Of statements that were sent together a later one can be heard of first.
    const cause = isAftermath(error) ? (open.failure ?? error) : error;
    throw open.translators.reduce((known, translate) => translate(known), cause);
  } finally {
    client.release(broken);
  }
  for (const callback of open.afterCommit) callback();
  return result;
}

/** Statements on the transaction's connection, until it is over: what comes late must not fall into another's. */
function transactionSql(client: pg.PoolClient, open: OpenTransaction): Sql {
  const run = clientSql(client);
  const sql: Sql = async <Row extends object>(statement: Statement, values?: readonly SqlValue[]) => {
    if (!openTransactions.has(sql)) throw new Error(`${statement.name} came after the end of its transaction`);
    const rows = run<Row>(statement, values);
    rows.catch((error: unknown) => (open.failure ??= error));
    return rows;
  };
  return sql;
}

/** Returns the Ctx with another connection behind its `sql` and, created at first use, its `em`. */
const onConnection = (ctx: Ctx, client: pg.PoolClient, sql: Sql, open: OpenTransaction): Ctx =>
  Object.defineProperties({} as Ctx, {
    ...Object.getOwnPropertyDescriptors(ctx),
    sql: { value: sql, enumerable: true },
    em: { get: () => (open.em ??= forkOnto(client, ctx.em)), enumerable: true },
  });

/** Returns the Ctx with another pool behind its `sql` and its `em`. */
export function ctxOn(ctx: Ctx, { pool, sql }: Pick<Ctx, 'pool' | 'sql'>): Ctx {
  let em: EntityManager | undefined;
  return Object.defineProperties({} as Ctx, {
    ...Object.getOwnPropertyDescriptors(ctx),
    pool: { value: pool, enumerable: true },
    sql: { value: sql, enumerable: true },
    em: { get: () => (em ??= forkOnto(pool, ctx.em)), enumerable: true },
  });
}

function forkOnto(client: pg.PoolClient | pg.Pool, outer: EntityManager): EntityManager {
  const em = outer.fork({ clear: true, useContext: false });
  em.setTransactionContext(asTransactionContext(client));
  return em;
}

async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

const writes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** The part of a transaction that MikroORM's driver needs: running a compiled query. */
function asTransactionContext(client: pg.PoolClient | pg.Pool): Transaction {
  return {
    executeQuery: async (query: { sql: string; parameters: readonly unknown[] }) => {
      const { command, rowCount, rows } = await client.query(query.sql, [...query.parameters]);
      return { rows, numAffectedRows: writes.has(command) ? BigInt(rowCount ?? 0) : undefined };
    },
  } as unknown as Transaction;
}
