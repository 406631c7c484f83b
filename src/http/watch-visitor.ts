import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { getVisitor } from '../embeds/visitors/visitor.ts';

/** How long a stream can outlive its embed or its visitor. */
const checkMs = 5_000;

/** Checks a visitor's token at intervals, while a reply is sent. Returns a function that stops the checks. */
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
