import { ApiError, ConnectionError } from './errors.ts';

export interface RetryPolicy {
  /** Maximum number of retries. */
  retries: number;
  /** A longer `Retry-After` ends the retries. */
  maxRetryAfterMs: number;
}

const firstDelayMs = 250;
const longestDelayMs = 8_000;

/**
 * Returns how long to wait before the next attempt, or null when there is none. `tries` counts failed attempts. A refusal
 * (429, 503) is retried as the service asks, a lost response only when repeating the call is safe.
 */
export function retryDelayMs(error: unknown, tries: number, repeatable: boolean, policy: RetryPolicy): number | null {
  if (tries > policy.retries || !mayTryAgain(error, repeatable)) return null;
  const backoffMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
  const askedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  if (askedMs > policy.maxRetryAfterMs) return null;
  return Math.max(backoffMs, askedMs);
}

function mayTryAgain(error: unknown, repeatable: boolean): boolean {
  if (error instanceof ConnectionError) return repeatable;
  if (!(error instanceof ApiError)) return false;
  // The attempt whose response was lost is still running under the same key.
  if (error.code === 'idempotency_in_progress') return true;
  return error.status === 429 || error.status === 503;
}

/** Waits; rejects with the signal's reason when it is aborted. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
  signal?.throwIfAborted();
}
