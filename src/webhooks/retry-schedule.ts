const maxRetryAfterSeconds = 300;

interface FailedAttempt {
  /** Of its round, from 1. */
  attempt: number;
  delaysSeconds: readonly number[];
  finishedAt: Date;
  /** The header as it was sent: seconds or an HTTP date. */
  retryAfter: string | null;
}

/** When a failed delivery is tried again; null when its attempts are used up. A `Retry-After` of at most 300 s can lengthen the delay. */
export function nextAttemptAt({ attempt, delaysSeconds, finishedAt, retryAfter }: FailedAttempt): Date | null {
  const delaySeconds = delaysSeconds[attempt - 1];
  if (delaySeconds === undefined) return null;
  const asked = retryAfterSeconds(retryAfter, finishedAt);
  const seconds = asked <= maxRetryAfterSeconds ? Math.max(delaySeconds, asked) : delaySeconds;
  return new Date(finishedAt.getTime() + Math.ceil(seconds * 1_000));
}

function retryAfterSeconds(header: string | null, now: Date): number {
  if (header === null) return 0;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, (date - now.getTime()) / 1_000);
}
