import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { PlatformError } from '../../integrations/platforms.ports.ts';

const tokenFaults = ['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'];
const transient = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'];

/** Classifies a failure of the Web API. */
export function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof WebAPIRateLimitedError) {
    const retryAfterMs = error.retryAfter * 1_000;
    return new PlatformError('rate_limited', 'The platform asked the bot to wait.', { retryAfterMs });
  }
  if (error instanceof WebAPIPlatformError) return errorOfCode(error.data.error);
  if (error instanceof WebAPIHTTPError && error.statusCode < 500)
    return new PlatformError('refused', 'The platform refused the message.');
  return new PlatformError('unknown', 'The platform did not answer.');
}

function errorOfCode(code: string): PlatformError {
  if (tokenFaults.includes(code)) return new PlatformError('auth', 'The platform does not accept the bot token.');
  if (code === 'ratelimited') return new PlatformError('rate_limited', 'The platform asked the bot to wait.');
  if (transient.includes(code)) return new PlatformError('unknown', 'The platform reported an internal error.');
  return new PlatformError('refused', `The platform refused the message (${code.slice(0, 60)}).`);
}
