import { GrammyError, HttpError } from 'grammy';
import { PlatformError } from '../../integrations/platforms.ports.ts';

const neverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Classifies a failure of the Bot API. Drops the cause, because Telegram's URLs contain the token. */
export function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof GrammyError) return errorOfCode(error);
  const cause: unknown = error instanceof HttpError ? error.error : error;
  const code = (cause as { code?: unknown } | null)?.code;
  const kind = typeof code === 'string' && neverSent.includes(code) ? 'unavailable' : 'unknown';
  return new PlatformError(kind, 'The platform did not answer.');
}

function errorOfCode({ error_code: code, parameters }: GrammyError): PlatformError {
  // Telegram returns 404 for an unknown token.
  if (code === 401 || code === 404) return new PlatformError('auth', 'The platform does not accept the bot token.');
  if (code === 429) {
    const retryAfterMs = (parameters.retry_after ?? 1) * 1_000;
    return new PlatformError('rate_limited', 'The platform asked the bot to wait.', { retryAfterMs });
  }
  if (code === 403) return new PlatformError('refused', 'The bot is not allowed to post in this chat.');
  if (code === 409) return new PlatformError('unavailable', 'Another program is polling for the messages of this bot.');
  if (code < 500) return new PlatformError('refused', 'The platform refused the message.');
  return new PlatformError('unavailable', 'The platform reported an internal error.');
}
