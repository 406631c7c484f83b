import { setTimeout as sleep } from 'node:timers/promises';

interface RetryOptions {
  /** Returns the milliseconds to wait after the failed attempt (from 1), or null when `error` is final. */
  pauseMs: (error: unknown, attempt: number) => number | null;
  /** Once it is aborted, no attempt begins and the last error is thrown. */
  signal?: AbortSignal | undefined;
}

/** Runs `attempt` until it succeeds. @throws the error for which `pauseMs` returned null */
export async function retry<Result>(
  attempt: () => Promise<Result>,
  { pauseMs, signal }: RetryOptions,
): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = signal?.aborted ? null : pauseMs(error, count);
      if (waitMs === null) throw error;
      await sleep(waitMs, undefined, signal && { signal }).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
}
