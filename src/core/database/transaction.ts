import type { Transaction } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { type Ctx, withSql } from '../ctx.ts';
import { isInFailedTransaction, retryTransient } from './database-errors.ts';
import { clientSql, gatherWrites, type Sql, type SqlValue, type Statement } from './sql.ts';

interface OpenTransaction {
  em: EntityManager | null;
  afterCommit: (() => void)[];
  /** Statements that `sendSql` sent; their results are awaited at the commit. */
  sent: Promise<unknown>[];
  /** Error of the statement that failed first. */
  failure: unknown;
  translators: ((error: unknown) => unknown)[];
}

/** Open transactions by the `sql` of their Ctx, which is unique. */
const openTransactions = new WeakMap<Sql, OpenTransaction>();

/**
 * Runs `fn` in one PostgreSQL transaction, which the `em` and the `sql` of the Ctx that it receives share. Entities are
 * flushed before the commit; a nested call joins the open transaction. Deadlocks and serialization failures are
 * retried, so `fn` must be repeatable and must not use the network.
 */
export async function inTransaction<Result>(ctx: Ctx, fn: (ctx: Ctx) => Promise<Result>): Promise<Result> {
  if (isInTransaction(ctx)) return fn(ctx);
  return retryTransient(() => runTransaction(ctx, fn));
}

/**
 * Calls `fn` once the transaction of `ctx` has committed, never after a rollback; immediately outside a transaction.
 */
export function onCommitted(ctx: Ctx, fn: () => void): void {
  const open = openTransactions.get(ctx.sql);
  if (open) open.afterCommit.push(fn);
  else fn();
}

/**
 * Sends a statement of the transaction without waiting for its result. The commit awaits the result, and fails if the
 * statement fails. Outside a transaction it waits.
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

/**
 * Takes a lock and then reads, in one packet. Two statements, because PostgreSQL takes the snapshot of a statement before
 * the statement waits: rows of other tables that the locking statement reads can be out of date when the lock is granted.
 * Call it inside a transaction.
 */
export async function lockThenRead<Row extends object>(
  tx: Ctx,
  [lock, lockValues]: readonly [Statement, readonly SqlValue[]],
  [read, readValues]: readonly [Statement, readonly SqlValue[]],
): Promise<Row[]> {
  const [, rows] = await Promise.all([tx.sql(lock, lockValues), tx.sql<Row>(read, readValues)]);
  return rows;
}

/**
 * Registers `translate` to convert the error that makes the transaction of `ctx` fail. Meant for statements that
 * `sendSql` sends.
 */
export function translateFailure(ctx: Ctx, translate: (error: unknown) => unknown): void {
  openTransactions.get(ctx.sql)?.translators.push(translate);
}

/** Returns whether the statements of this Ctx run in a transaction. */
export const isInTransaction = (ctx: Pick<Ctx, 'sql'>): boolean => openTransactions.has(ctx.sql);

async function runTransaction<Result>(ctx: Ctx, fn: (ctx: Ctx) => Promise<Result>): Promise<Result> {
  const client = await ctx.pool.connect();
  const open: OpenTransaction = { em: null, afterCommit: [], sent: [], failure: undefined, translators: [] };
  let broken: Error | undefined;
  let result: Result;
  try {
    // Buffered, so that `begin` is sent in one packet with the first statement.
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
    // After a failed statement PostgreSQL answers `commit` with a rollback and no error, so the results of the
    // statements are checked too.
    await Promise.all([...open.sent, client.query('commit')]);
  } catch (error) {
    broken = await rollback(client);
    // When statements are sent together, the error of a later one can be observed first.
    const cause = isInFailedTransaction(error) ? (open.failure ?? error) : error;
    throw open.translators.reduce((known, translate) => translate(known), cause);
  } finally {
    client.release(broken);
  }
  for (const callback of open.afterCommit) callback();
  return result;
}

/**
 * Returns a function that runs statements on the connection of the transaction. It rejects statements after the end:
 * they could run in a later transaction of the connection.
 */
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

/**
 * Returns a copy of the Ctx whose `sql` and `em` use the connection of the transaction. `em` is created on first
 * access.
 */
const onConnection = (ctx: Ctx, client: pg.PoolClient, sql: Sql, open: OpenTransaction): Ctx =>
  withSql(ctx, { sql, em: () => (open.em ??= forkOnto(client, ctx.em)) });

/** Returns a copy of the Ctx whose `sql` and `em` use another pool. */
export function ctxOn(ctx: Ctx, { pool, sql }: Pick<Ctx, 'pool' | 'sql'>): Ctx {
  let em: EntityManager | undefined;
  return withSql(ctx, { sql, pool, em: () => (em ??= forkOnto(pool, ctx.em)) });
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

/** Returns the part of a transaction that MikroORM's driver needs: running a compiled query. */
function asTransactionContext(client: pg.PoolClient | pg.Pool): Transaction {
  return {
    executeQuery: async (query: { sql: string; parameters: readonly unknown[] }) => {
      const { command, rowCount, rows } = await client.query(query.sql, [...query.parameters]);
      return { rows, numAffectedRows: writes.has(command) ? BigInt(rowCount ?? 0) : undefined };
    },
  } as unknown as Transaction;
}
