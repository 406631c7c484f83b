import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, invalidField } from '../core/errors.ts';

/** Name of refused content in the `details` of a 400 response. */
const contentRefused = 'content_refused';

export const timeoutMs = 10_000;
/** Number of checks that the requests of an account may cause in an hour, whatever their outcome. */
const maxChecksPerHour = 300;
const hourSeconds = 3_600;

/**
 * Counts a check that the caller's request waits for, before it is made.
 * @throws AppError `rate_limited`
 */
export async function countCheck(ctx: Ctx): Promise<void> {
  const key = `content-checks:${callerId(ctx)}`;
  const { retryAfterSeconds } = await ctx.ports.rateLimits.consume(key, maxChecksPerHour, hourSeconds);
  if (retryAfterSeconds === null) return;
  const message = `Your texts can be checked ${maxChecksPerHour} times an hour. Try again later.`;
  throw new AppError('rate_limited', { message, retryAfterSeconds });
}

/**
 * Rejects a text that the content check flags, before anything is generated from it. Makes a network call, so run it
 * outside of a transaction.
 * @throws AppError `invalid_request` with the detail `content_refused`, `rate_limited`, `unavailable` when the check is down
 */
export async function requireAllowedText(ctx: Ctx, field: string, text: string): Promise<void> {
  await countCheck(ctx);
  const { flagged, categories } = await ctx.ports.contentCheck.check({ text }, AbortSignal.timeout(timeoutMs));
  if (flagged) throw refusedContent(field, categories);
}

/** Creates the error for a text that the content check flagged (400). */
export function refusedContent(field: string, categories: readonly string[]): AppError {
  const why = categories.length > 0 ? ` (${categories.join(', ')})` : '';
  return invalidField(field, contentRefused, `This content is not allowed${why}. Change it and try again.`);
}
