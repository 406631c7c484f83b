import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, invalidField } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { withTimeout } from '../core/waiting/with-timeout.ts';
import { discoverChannelsInput } from './integration.input.ts';
import { type BotPlaces, PlatformError, type PlatformKind } from './platforms.ports.ts';

/** The servers and channels that a bot can access. */
export interface Discovery extends BotPlaces {
  platform: PlatformKind;
}

const timeoutMs = 9_000;
/** Limit per account. Each request calls a platform several times with the token of a bot that is not connected yet. */
const maxPerHour = 60;

/**
 * Lists where a bot may write, so that its owner can choose from a list. The token is used only for this and is not
 * stored.
 * @throws AppError `invalid_request` when the platform rejects the token, `rate_limited` after 60 requests in an hour
 * or when the platform asks to wait, `unavailable` when it fails
 */
export async function discoverChannels(ctx: Ctx, input: unknown): Promise<Discovery> {
  const { platform, botToken } = parseInput(discoverChannelsInput, input);
  const { retryAfterSeconds } = await ctx.ports.rateLimits.consume(`discover ${callerId(ctx)}`, maxPerHour, 3_600);
  if (retryAfterSeconds !== null) {
    const message = `You can list channels at most ${maxPerHour} times an hour.`;
    throw new AppError('rate_limited', { message, retryAfterSeconds });
  }
  try {
    const places = await withTimeout(ctx.ports.platforms[platform].listPlaces(botToken), timeoutMs, () => {
      throw new AppError('unavailable', { message: 'The platform did not answer in time.', retryAfterSeconds: 5 });
    });
    return { platform, ...places };
  } catch (error) {
    throw error instanceof PlatformError ? toAppError(error) : error;
  }
}

function toAppError({ kind, message, retryAfterMs }: PlatformError): AppError {
  if (kind === 'auth') return invalidField('botToken', 'invalid_token', 'The platform does not accept this bot token.');
  if (kind === 'refused') return invalidField('botToken', 'refused', message);
  const retryAfterSeconds = Math.ceil((retryAfterMs ?? 5_000) / 1_000);
  if (kind === 'rate_limited') {
    return new AppError('rate_limited', { message: 'The platform asked the bot to wait.', retryAfterSeconds });
  }
  return new AppError('unavailable', { message: 'The platform did not answer.', retryAfterSeconds });
}
