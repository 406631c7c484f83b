import { AppError } from './errors.ts';

/** SQLSTATE of an error thrown by `pg` or wrapped by MikroORM; `undefined` for anything else. */
export function sqlState(error: unknown): string | undefined {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 4; e = e.cause, depth++) {
    const code = (e as { code?: unknown }).code;
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

/** Deadlock or serialization failure: the same transaction can succeed when run again. */
export const isTransient = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '');

/** Name of the unique constraint or index that a write broke; `undefined` when that is not what happened. */
export function violatedUnique(error: unknown): string | undefined {
  if (sqlState(error) !== '23505') return undefined;
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 4; e = e.cause, depth++) {
    const name = (e as { constraint?: unknown }).constraint;
    if (typeof name === 'string') return name;
  }
  return '';
}

/** Whether a write named a row that is gone (foreign key). */
export const isForeignKeyViolation = (error: unknown): boolean => sqlState(error) === '23503';

// 08 connection, 53 resources (disk full, too many connections), 57 operator intervention, 58 system, 25006 read-only,
// 40001 and 40P01 what transactions in each other's way are told, after their retries
const unavailableState = /^(08|53|57|58)|^(25006|40001|40P01)$/;
const connectionFaults =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|not queryable/;

/** 503 `unavailable` when the database is what failed; the error itself otherwise. */
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
