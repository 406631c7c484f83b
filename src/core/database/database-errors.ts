import { AppError, notFound } from '../errors.ts';
import { retry } from '../waiting/retry.ts';

/** Returns the SQLSTATE of an error that `pg` has thrown or MikroORM has wrapped; `undefined` for any other error. */
export function sqlState(error: unknown): string | undefined {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 4; e = e.cause, depth++) {
    const code = (e as { code?: unknown }).code;
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

/**
 * Returns whether the same transaction can succeed when it is repeated: after a deadlock or a serialization failure, or
 * when a prepared statement is missing because the statement that prepared it on this connection was cancelled.
 */
const isTransient = (error: unknown): boolean => ['40001', '40P01', '26000'].includes(sqlState(error) ?? '');

const maxAttempts = 4;
const maxPauseMs = 20;

/**
 * Retries `fn` after transient failures, up to four attempts. Pauses are random, so that conflicting transactions do
 * not collide again.
 */
export const retryTransient = <Result>(fn: () => Promise<Result>): Promise<Result> =>
  retry(fn, {
    pauseMs: (error, attempt) =>
      attempt < maxAttempts && isTransient(error) ? Math.random() * maxPauseMs * attempt : null,
  });

/**
 * Returns whether a statement failed only because an earlier one in its transaction had failed. The error does not name
 * the cause.
 */
export const isInFailedTransaction = (error: unknown): boolean => sqlState(error) === '25P02';

/** Suffix of the name of a partition's index (partitions/tables.ts). */
const partitionSuffix = /_p\d{2,}$/;

/** Returns the name of the unique constraint or index that a write violated; `undefined` for any other error. */
export function violatedUnique(error: unknown): string | undefined {
  if (sqlState(error) !== '23505') return undefined;
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 4; e = e.cause, depth++) {
    const name = (e as { constraint?: unknown }).constraint;
    if (typeof name === 'string') return name.replace(partitionSuffix, '');
  }
  return '';
}

/**
 * Returns the reason that a statement passed to the SQL function `refuse`, which rolls back the transaction;
 * `undefined` for any other error.
 */
export const refusal = (error: unknown): string | undefined =>
  sqlState(error) === 'AC001' ? (error as Error).message : undefined;

/** Returns whether a write referenced a row that does not exist. */
export const isForeignKeyViolation = (error: unknown): boolean => sqlState(error) === '23503';

// Classes 08 (connection), 53 (resources: disk full, too many connections), 57 (operator intervention) and 58 (system),
// 25006 (read-only), and the transient errors 40001, 40P01 and 26000 after their retries.
const unavailableState = /^(08|53|57|58)|^(25006|40001|40P01|26000)$/;
const connectionFaults =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|not queryable/;

/** Converts a failure of the database to 503 `unavailable`. Returns any other error unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const state = sqlState(error);
  const down = state
    ? unavailableState.test(state)
    : connectionFaults.test(
        `${error.name} ${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`,
      );
  return down ? new AppError('unavailable', { retryAfterSeconds: 1, cause: error }) : error;
}

/**
 * Converts an error to the one that the caller sees: 404 `not_found` when a write referenced a row that was just
 * deleted (all foreign keys cascade, so they fail for no other reason), 503 `unavailable` for a failure of the
 * database.
 */
export const toPublicError = (error: unknown): unknown =>
  isForeignKeyViolation(error) ? notFound() : asUnavailable(error);
