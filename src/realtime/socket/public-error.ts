import type { Logger } from 'pino';
import { toPublicError } from '../../core/database/database-errors.ts';
import { AppError } from '../../core/errors.ts';

/**
 * Returns the error that a client receives. Anything but an AppError for the client is logged and becomes
 * `internal_error` without details.
 */
export function publicError(log: Logger, thrown: unknown): AppError {
  const error = toPublicError(thrown);
  if (error instanceof AppError) return error;
  log.error({ err: thrown }, 'a socket failed');
  return new AppError('internal_error');
}
