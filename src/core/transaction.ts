import type { Transaction } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Ctx } from './ctx.ts';
import { isTransient } from './database-errors.ts';
import { clientSql } from './sql.ts';

const maxAttempts = 3;

interface OpenTransaction {
  afterCommit: (() => void)[];
}

const openTransactions = new WeakMap<EntityManager, OpenTransaction>();

/**
 * Runs `fn` in one PostgreSQL transaction, shared by the `em` and the `sql` of the Ctx that it gets. Entities are
 * flushed before the commit; a nested call joins the transaction that is open. Deadlocks and serialization failures are
 * tried again, so `fn` must be repeatable and must not reach the network.
 */
export async function inTransaction<Result>(ctx: Ctx, fn: (ctx: Ctx) => Promise<Result>): Promise<Result> {
  if (openTransactions.has(ctx.em)) return fn(ctx);
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTransaction(ctx, fn);
    } catch (error) {
      if (attempt === maxAttempts || !isTransient(error)) throw error;
    }
  }
}

/** Calls `fn` once the transaction of `ctx` has committed, never when it rolls back; at once outside of one. */
export function onCommitted(ctx: Ctx, fn: () => void): void {
  const open = openTransactions.get(ctx.em);
  if (open) open.afterCommit.push(fn);
  else fn();
}

async function runTransaction<Result>(ctx: Ctx, fn: (ctx: Ctx) => Promise<Result>): Promise<Result> {
  const client = await ctx.pool.connect();
  const open: OpenTransaction = { afterCommit: [] };
  let broken: Error | undefined;
  let result: Result;
  try {
    await client.query('begin');
    const em = ctx.em.fork({ clear: true, useContext: false });
    em.setTransactionContext(asTransactionContext(client));
    openTransactions.set(em, open);
    try {
      result = await fn({ ...ctx, em, sql: clientSql(client) });
      await em.flush();
    } finally {
      openTransactions.delete(em);
    }
    await client.query('commit');
  } catch (error) {
    broken = await rollback(client);
    throw error;
  } finally {
    client.release(broken);
  }
  for (const callback of open.afterCommit) callback();
  return result;
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

/** What MikroORM's driver needs of a transaction: a way to run a compiled query on its connection. */
function asTransactionContext(client: pg.PoolClient): Transaction {
  return {
    executeQuery: async (query: { sql: string; parameters: readonly unknown[] }) => {
      const { command, rowCount, rows } = await client.query(query.sql, [...query.parameters]);
      return { rows, numAffectedRows: writes.has(command) ? BigInt(rowCount ?? 0) : undefined };
    },
  } as unknown as Transaction;
}
