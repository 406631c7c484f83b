import { AppError, notFound } from '../errors.ts';
import { retry } from '../waiting/retry.ts';

/** SQLSTATE of an error thrown by `pg` or wrapped by MikroORM; `undefined` for anything else. */
export function sqlState(error: unknown): string | undefined {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 4; e = e.cause, depth++) {
    const code = (e as { code?: unknown }).code;
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

/**
 * The same transaction can succeed when it runs again: after a deadlock or a serialization failure, and when a prepared
 * statement is missing because the statement before it on the connection, which prepared it, was cancelled.
 */
const isTransient = (error: unknown): boolean => ['40001', '40P01', '26000'].includes(sqlState(error) ?? '');

const maxAttempts = 4;
const maxPauseMs = 20;

/** Retries `fn` after transient failures, up to four attempts. The pauses are random so that rivals do not meet again. */
export const retryTransient = <Result>(fn: () => Promise<Result>): Promise<Result> =>
  retry(fn, {
    pauseMs: (error, attempt) =>
      attempt < maxAttempts && isTransient(error) ? Math.random() * maxPauseMs * attempt : null,
  });

/** A statement that followed a failed one in the same transaction: its error does not name the cause. */
export const isAftermath = (error: unknown): boolean => sqlState(error) === '25P02';

/** Ends the name of an index of a partition (partitions/tables.ts). */
const partitionSuffix = /_p\d{2,}$/;

/** Name of the unique constraint or index that a write violated; `undefined` for any other error. */
export function violatedUnique(error: unknown): string | undefined {
  if (sqlState(error) !== '23505') return undefined;
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 4; e = e.cause, depth++) {
    const name = (e as { constraint?: unknown }).constraint;
    if (typeof name === 'string') return name.replace(partitionSuffix, '');
  }
  return '';
}

/** Why a statement called `refuse`, which rolls its transaction back; `undefined` for any other error. */
export const refusal = (error: unknown): string | undefined =>
  sqlState(error) === 'AC001' ? (error as Error).message : undefined;

/** Whether a write referenced a row that does not exist (foreign key). */
export const isForeignKeyViolation = (error: unknown): boolean => sqlState(error) === '23503';

// 08 connection, 53 resources (disk full, too many connections), 57 operator intervention, 58 system, 25006 read-only;
// 40001, 40P01 and 26000 after their retries.
const unavailableState = /^(08|53|57|58)|^(25006|40001|40P01|26000)$/;
const connectionFaults =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|not queryable/;

/** Returns 503 `unavailable` for a failure of the database, any other error unchanged. */
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
 * The error that the caller sees: 404 `not_found` when a write referenced a row that was deleted a moment before (all
 * foreign keys cascade, so they fail for no other reason), 503 `unavailable` for a failure of the database.
 */
export const asRefusal = (error: unknown): unknown =>
  isForeignKeyViolation(error) ? notFound() : asUnavailable(error);
