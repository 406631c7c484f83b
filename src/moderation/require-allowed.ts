import type { Ctx } from '../core/ctx.ts';
import { invalidField } from '../core/errors.ts';

/** What refused content is called in `details` of a 400 response. */
const contentRefused = 'content_refused';

const timeoutMs = 10_000;

/**
 * Checks a text before something is made of it. Makes a network call, so it must run outside of a transaction.
 * @throws AppError `invalid_request` with the detail `content_refused`, `unavailable` when the check is down
 */
export async function requireAllowedText(ctx: Ctx, field: string, text: string): Promise<void> {
  const { flagged, categories } = await ctx.ports.contentCheck.check({ text }, AbortSignal.timeout(timeoutMs));
  if (!flagged) return;
  const why = categories.length > 0 ? ` (${categories.join(', ')})` : '';
  throw invalidField(field, contentRefused, `This content is not allowed${why}. Change it and try again.`);
}
