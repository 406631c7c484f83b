import { ApiError } from '../api/api-error.ts';
import { texts } from './texts.ts';

/** Assigns the refusal of a wrong current password to its field. The service's message is about signing in. */
export function toPasswordField(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'INVALID_CREDENTIALS') throw error;
  const message = texts.currentPasswordWrong;
  throw new ApiError(error.code, message, { details: [{ field: 'currentPassword', code: error.code, message }] });
}
