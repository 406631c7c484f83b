import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { retryTransient } from './database-errors.ts';
import { parseTextArray, textArray } from './text-array.ts';

export type SqlValue = string | number | boolean | null | Date | Buffer | readonly SqlValue[];

/** A statement of a hot path, defined once at module level. PostgreSQL prepares it under `name`. */
export interface Statement {
  name: string;
  text: string;
}

/**
 * Runs a prepared statement with positional parameters ($1, $2 …) and returns its rows: timestamps as `Date`, bigint as
 * number, jsonb parsed.
 */
export type Sql = <Row extends object>(statement: Statement, values?: readonly SqlValue[]) => Promise<Row[]>;

const int8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === int8) return Number;
    if (oid === textArray && format !== 'binary') return parseTextArray;
    return pg.types.getTypeParser(oid, format as 'text') as never;
  },
};

/** Returns a function that runs statements on any free connection of the pool. */
export const poolSql = (pool: pg.Pool): Sql => runOn(pool);

/**
 * Returns a function that runs statements on one connection, and so in the transaction that is open on it. Statements
 * of one tick are sent in one packet.
 */
export function clientSql(client: pg.ClientBase): Sql {
  const run = runOn(client);
  return (statement, values) => {
    gatherWrites(client);
    return run(statement, values);
  };
}

/**
 * Runs independent reads on one connection. They are sent in one packet, and their results arrive in the same order.
 */
export const readTogether = <Result>(pool: pg.Pool, fn: (sql: Sql) => Promise<Result>): Promise<Result> =>
  retryTransient(async () => {
    const client = await pool.connect();
    try {
      return await fn(clientSql(client));
    } finally {
      client.release();
    }
  });

const gatheredBy = new WeakMap<pg.Pool, Sql>();

/**
 * Returns a function that sends the statements of all requests in one turn of the event loop on one connection, in one
 * packet. For statements at the start of every request. They must not block on a lock: one waiting statement delays the
 * whole batch. If a statement is cancelled before it was prepared, those of the batch that rely on its preparation are
 * retried on another connection.
 */
export function gatheredSql(pool: pg.Pool): Sql {
  const known = gatheredBy.get(pool);
  if (known) return known;
  let open: Turn | null = null;
  const begin = async () => {
    await nextTurn();
    open = null;
    return pool.connect();
  };
  const run: Sql = async (statement, values) => {
    const turn = (open ??= { client: begin(), statements: 0 });
    turn.statements++;
    const client = await turn.client;
    try {
      return await clientSql(client)(statement, values);
    } catch (error) {
      turn.failure = error as Error;
      throw error;
    } finally {
      if (--turn.statements === 0) client.release(turn.failure);
    }
  };
  const sql: Sql = (statement, values) => retryTransient(() => run(statement, values));
  gatheredBy.set(pool, sql);
  return sql;
}

interface Turn {
  client: Promise<pg.PoolClient>;
  /** Number of statements without a result yet. */
  statements: number;
  failure?: Error;
}

/**
 * Buffers what is sent on a connection until the end of the tick, because a system call costs more than most
 * statements.
 */
export function gatherWrites(client: pg.ClientBase): void {
  const { stream } = (client as pg.Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

const runOn =
  (target: pg.Pool | pg.ClientBase): Sql =>
  async <Row extends object>(statement: Statement, values: readonly SqlValue[] = []) =>
    (await target.query<Row>({ name: statement.name, text: statement.text, values: values as unknown[], types })).rows;
