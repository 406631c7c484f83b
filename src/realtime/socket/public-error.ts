import type { Logger } from 'pino';
import { asRefusal } from '../../core/database/database-errors.ts';
import { AppError } from '../../core/errors.ts';

/** The error that a client receives. Anything but a refusal is logged, and is `internal_error` without detail. */
export function publicError(log: Logger, thrown: unknown): AppError {
  const error = asRefusal(thrown);
  if (error instanceof AppError) return error;
  log.error({ err: thrown }, 'a socket failed');
  return new AppError('internal_error');
}
