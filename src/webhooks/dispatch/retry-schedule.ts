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
 * Returns the milliseconds until a failed delivery is retried, or null if no attempts are left. A `Retry-After` of at
 * most 300 seconds can lengthen the delay.
 */
export function retryDelayMs({ attempt, delaysSeconds, retryAfter, now }: FailedAttempt): number | null {
  const delaySeconds = delaysSeconds[attempt - 1];
  if (delaySeconds === undefined) return null;
  const requested = retryAfterSeconds(retryAfter, now);
  return Math.ceil(1_000 * (requested <= maxRetryAfterSeconds ? Math.max(delaySeconds, requested) : delaySeconds));
}

function retryAfterSeconds(header: string | null, now: Date): number {
  if (header === null) return 0;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, (date - now.getTime()) / 1_000);
}
