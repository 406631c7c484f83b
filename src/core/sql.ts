import pg from 'pg';
import { retryTransient } from './database-errors.ts';

export type SqlValue = string | number | boolean | null | Date | Buffer | readonly SqlValue[];

/** A statement of a hot path, written once at module level. `name` is what PostgreSQL prepares it under. */
export interface Statement {
  name: string;
  text: string;
}

/**
 * Runs a prepared statement with positional parameters ($1, $2 …) and answers its rows. Timestamps come as `Date`,
 * bigint as number, jsonb parsed.
 */
export type Sql = <Row extends object>(statement: Statement, values?: readonly SqlValue[]) => Promise<Row[]>;

const int8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? Number : (pg.types.getTypeParser(oid, format as 'text') as never),
};

/** Statements on any free connection of the pool. */
export const poolSql = (pool: pg.Pool): Sql => runOn(pool);

/** Statements on one connection, so on the transaction that is open on it. Those of one tick leave in one packet. */
export function clientSql(client: pg.ClientBase): Sql {
  const run = runOn(client);
  return (statement, values) => {
    gatherWrites(client);
    return run(statement, values);
  };
}

/** Runs reads that need nothing of each other on one connection: sent in one packet, answered in their order. */
export const readTogether = <Result>(pool: pg.Pool, fn: (sql: Sql) => Promise<Result>): Promise<Result> =>
  retryTransient(async () => {
    const client = await pool.connect();
    try {
      return await fn(clientSql(client));
    } finally {
      client.release();
    }
  });

/** Holds what is sent on a connection until the end of the tick: a system call costs more than most statements. */
export function gatherWrites(client: pg.ClientBase): void {
  const { stream } = (client as pg.Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

const runOn =
  (target: pg.Pool | pg.ClientBase): Sql =>
  async <Row extends object>(statement: Statement, values: readonly SqlValue[] = []) =>
    (await target.query<Row>({ name: statement.name, text: statement.text, values: values as unknown[], types })).rows;
