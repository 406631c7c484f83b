import { retry } from '../../core/waiting/retry.ts';
import { isRetryable, retryAfterMs } from './errors.ts';

const firstPauseMs = 250;

interface RetryLimits {
  maxRetries?: number;
  /** Latest start of a retry, on the scale of `performance.now()`. */
  deadlineMs: number;
  signal: AbortSignal;
}

/**
 * Retries a call that the provider refused temporarily. Use it only until the first byte of the response has been used.
 */
export const retryCall = <Result>(
  call: () => Promise<Result>,
  { maxRetries = 2, deadlineMs, signal }: RetryLimits,
): Promise<Result> =>
  retry(call, {
    signal,
    pauseMs: (error, attempt) => {
      const pauseMs = retryAfterMs(error) ?? firstPauseMs * 2 ** (attempt - 1) * (1 - Math.random() / 4);
      return attempt <= maxRetries && isRetryable(error) && performance.now() + pauseMs < deadlineMs ? pauseMs : null;
    },
  });
