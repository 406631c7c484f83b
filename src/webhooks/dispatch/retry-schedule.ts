const maxRetryAfterSeconds = 300;

interface FailedAttempt {
  /** Number of the attempt in its round, starting at 1. */
  attempt: number;
  delaysSeconds: readonly number[];
  /** `Retry-After` header as received: seconds or an HTTP date. */
  retryAfter: string | null;
  now: Date;
}

/**
 * Returns the milliseconds until a failed delivery is retried, or null if no attempts are left. `Retry-After` can
 * lengthen the delay to at most 300 seconds.
 */
export function deliveryRetryDelayMs({ attempt, delaysSeconds, retryAfter, now }: FailedAttempt): number | null {
  const delaySeconds = delaysSeconds[attempt - 1];
  if (delaySeconds === undefined) return null;
  const requested = Math.min(retryAfterSeconds(retryAfter, now), maxRetryAfterSeconds);
  return Math.ceil(1_000 * Math.max(delaySeconds, requested));
}

function retryAfterSeconds(header: string | null, now: Date): number {
  if (header === null) return 0;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, (date - now.getTime()) / 1_000);
}
