import type { Ctx, Ports } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';

/** Maximum number of concurrent streams of an account in a process. */
const maxPerAccount = 25;

const openStreams = new WeakMap<Ports, Map<string, number>>();

/**
 * Registers a stream of the account. Returns a function that unregisters it.
 * @throws AppError `rate_limited` when the account has 25 streams open in this process
 */
export function openStream(ctx: Ctx, accountId: string): () => void {
  const counts = openStreams.get(ctx.ports) ?? new Map<string, number>();
  openStreams.set(ctx.ports, counts);
  const open = counts.get(accountId) ?? 0;
  if (open >= maxPerAccount) {
    const message = `An account can have at most ${maxPerAccount} event streams open. Close one first.`;
    throw new AppError('rate_limited', { message, retryAfterSeconds: 5 });
  }
  counts.set(accountId, open + 1);
  return () => {
    const left = (counts.get(accountId) ?? 1) - 1;
    if (left > 0) counts.set(accountId, left);
    else counts.delete(accountId);
  };
}
