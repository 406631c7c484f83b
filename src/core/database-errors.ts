import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, notFound } from './errors.ts';

/** SQLSTATE of an error thrown by `pg` or wrapped by MikroORM; `undefined` for anything else. */
export function sqlState(error: unknown): string | undefined {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 4; e = e.cause, depth++) {
    const code = (e as { code?: unknown }).code;
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

/** Deadlock or serialization failure: the same transaction can succeed when run again. */
const isTransient = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '');

const maxAttempts = 4;
const pauseMs = 20;

/** Runs `fn` again after deadlocks and serialization failures, four times in all. */
export async function retryTransient<Result>(fn: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fn();
    } catch (error) {
      if (attempt === maxAttempts || !isTransient(error)) throw error;
      // Not all of them at the same moment again.
      await sleep(Math.random() * pauseMs * attempt);
    }
  }
}

/** A statement that came after one that failed, in the same transaction: its error says nothing of the cause. */
export const isAftermath = (error: unknown): boolean => sqlState(error) === '25P02';

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

/**
 * What an error is to whoever asked: 404 `not_found` when a write named what was deleted a moment before (all foreign keys
 * cascade, so they fail for no other reason), 503 `unavailable` when the database failed, the error itself otherwise.
 */
export const asRefusal = (error: unknown): unknown =>
  isForeignKeyViolation(error) ? notFound() : asUnavailable(error);
