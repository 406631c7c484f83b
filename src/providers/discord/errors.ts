import { DiscordAPIError, HTTPError, RateLimitError } from '@discordjs/rest';
import { GatewayCloseCodes } from '@discordjs/core';
import { PlatformError } from '../../integrations/platforms.ports.ts';

const authenticationFailed: number = GatewayCloseCodes.AuthenticationFailed;
const unauthorized = 'The platform does not accept the bot token.';

/** Classifies a failure of Discord's REST API. Drops Discord's own messages, because they can contain routes. */
export function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof RateLimitError) {
    const retryAfterMs = Math.max(error.retryAfter, error.timeToReset);
    return new PlatformError('rate_limited', 'The platform asked the bot to wait.', { retryAfterMs });
  }
  if (error instanceof DiscordAPIError || error instanceof HTTPError) return errorOfStatus(error.status, error);
  if (error instanceof Error && error.message.startsWith('Expected token'))
    return new PlatformError('auth', unauthorized);
  // Safe to retry: a message has a nonce.
  return new PlatformError('unavailable', 'The platform did not answer.', { cause: error });
}

function errorOfStatus(status: number, cause: Error): PlatformError {
  if (status === 401) return new PlatformError('auth', unauthorized, { cause });
  if (status === 403) return new PlatformError('refused', 'The bot is not allowed to post in this channel.', { cause });
  if (status === 404) return new PlatformError('refused', 'This channel does not exist on the platform.', { cause });
  if (status === 429) return new PlatformError('rate_limited', 'The platform asked the bot to wait.', { cause });
  if (status < 500) return new PlatformError('refused', 'The platform refused the message.', { cause });
  return new PlatformError('unavailable', 'The platform reported an internal error.', { cause });
}

const refusals: Readonly<Record<number, string>> = {
  [GatewayCloseCodes.DisallowedIntents]: 'The bot lacks the Message Content intent; enable it in its settings.',
  [GatewayCloseCodes.ShardingRequired]: 'The bot is in too many servers for one connection.',
  [GatewayCloseCodes.InvalidShard]: 'The platform refused the connection.',
  [GatewayCloseCodes.InvalidAPIVersion]: 'The platform refused the connection.',
  [GatewayCloseCodes.InvalidIntents]: 'The platform refused the connection.',
};

/** Classifies the close code of a gateway connection. Every code that is not a refusal allows a reconnect. */
export function errorOfCloseCode(code: number): PlatformError {
  if (code === authenticationFailed) return new PlatformError('auth', unauthorized);
  const refusal = refusals[code];
  return refusal
    ? new PlatformError('refused', refusal)
    : new PlatformError('unavailable', `The platform closed the connection (${code}).`);
}
