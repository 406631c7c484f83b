import type { Ctx } from '../core/ctx.ts';
import { type AppError, invalidField } from '../core/errors.ts';

/** Name of refused content in the `details` of a 400 response. */
const contentRefused = 'content_refused';

export const timeoutMs = 10_000;

/**
 * Rejects a text that the content check flags, before anything is generated from it. Makes a network call, so run it
 * outside of a transaction.
 * @throws AppError `invalid_request` with the detail `content_refused`, `unavailable` when the check is down
 */
export async function requireAllowedText(ctx: Ctx, field: string, text: string): Promise<void> {
  const { flagged, categories } = await ctx.ports.contentCheck.check({ text }, AbortSignal.timeout(timeoutMs));
  if (flagged) throw refusedContent(field, categories);
}

/** Creates the error for a text that the content check flagged (400). */
export function refusedContent(field: string, categories: readonly string[]): AppError {
  const why = categories.length > 0 ? ` (${categories.join(', ')})` : '';
  return invalidField(field, contentRefused, `This content is not allowed${why}. Change it and try again.`);
}
