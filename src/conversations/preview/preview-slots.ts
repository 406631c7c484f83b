import { AppError } from '../../core/errors.ts';

/** Largest number of concurrent previews of an account on an instance. */
const perAccount = 3;
const running = new Map<string, number>();

/**
 * Takes one of the account's preview slots on this instance, and returns a function that releases it. Previews are not
 * stored, so the limit of concurrent replies, which counts rows, does not cover them.
 * @throws AppError `rate_limited`
 */
export function takePreviewSlot(userId: string): () => void {
  const taken = running.get(userId) ?? 0;
  if (taken >= perAccount) {
    const message = `At most ${perAccount} previews can run at a time. Wait for one to finish.`;
    throw new AppError('rate_limited', { message, retryAfterSeconds: 5 });
  }
  running.set(userId, taken + 1);
  return () => {
    const left = (running.get(userId) ?? 1) - 1;
    if (left > 0) running.set(userId, left);
    else running.delete(userId);
  };
}
