import { ApiError, asApiError } from '../api/api-error.ts';
import { texts } from './texts.ts';

/** Throws an error about a wrong password at the field `currentPassword`. The service's message is about signing in. */
export function toPasswordField(error: unknown): never {
  const { code } = asApiError(error);
  if (code !== 'INVALID_CREDENTIALS') throw error;
  const message = texts.currentPasswordWrong;
  throw new ApiError(code, message, { details: [{ field: 'currentPassword', code, message }] });
}
