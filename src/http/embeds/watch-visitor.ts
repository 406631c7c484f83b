import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { getVisitor } from '../../embeds/visitors/visitor.ts';

/** Longest time that a stream outlives its embed or its visitor, in milliseconds. */
const checkMs = 5_000;

/**
 * Checks a visitor's token at intervals while a reply is sent, and calls `onLost` when it is no longer valid. Returns a
 * function that stops the checks.
 */
export function watchVisitor(ctx: Ctx, token: string, onLost: (error: AppError) => void): () => void {
  const stop = () => clearInterval(timer);
  const timer = setInterval(() => {
    getVisitor(ctx, token).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.status >= 500) return;
      stop();
      onLost(error);
    });
  }, checkMs);
  return stop;
}
