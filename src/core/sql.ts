import pg from 'pg';

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

/** Statements on one connection, so on the transaction that is open on it. */
export const clientSql = (client: pg.ClientBase): Sql => runOn(client);

const runOn =
  (target: pg.Pool | pg.ClientBase): Sql =>
  async <Row extends object>(statement: Statement, values: readonly SqlValue[] = []) =>
    (await target.query<Row>({ name: statement.name, text: statement.text, values: values as unknown[], types })).rows;
