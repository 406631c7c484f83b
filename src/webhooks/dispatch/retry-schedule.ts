const maxRetryAfterSeconds = 300;

interface FailedAttempt {
  /** Of its round, from 1. */
  attempt: number;
  delaysSeconds: readonly number[];
  /** The header as received: seconds or an HTTP date. */
  retryAfter: string | null;
  now: Date;
}

/** How long until a failed delivery is retried; null when its attempts are used up. A `Retry-After` of at most 300 s can lengthen the delay. */
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
