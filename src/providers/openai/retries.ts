import { setTimeout as sleep } from 'node:timers/promises';
import { isRetryable, retryAfterMs } from './errors.ts';

const maxRetries = 2;
const firstRetryDelayMs = 250;

/** Tries again only while nothing was answered, and only if the wait still fits before `deadline` (of `performance.now`). */
export async function openWithRetries<T>(open: () => Promise<T>, deadline: number, signal: AbortSignal): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await open();
    } catch (error) {
      const waitMs = retryAfterMs(error) ?? firstRetryDelayMs * 2 ** retry * (1 - Math.random() / 4);
      if (signal.aborted || retry === maxRetries || !isRetryable(error) || performance.now() + waitMs >= deadline)
        throw error;
      await sleep(waitMs, undefined, { signal });
    }
  }
}
