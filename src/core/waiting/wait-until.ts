import { setTimeout as sleep } from 'node:timers/promises';

interface WaitOptions {
  timeoutMs: number;
  /** Interval between checks in milliseconds. Default 50. */
  everyMs?: number;
  /** Ends the wait early, like the timeout. */
  signal?: AbortSignal;
}

type Found<Result> = Exclude<Result, false | null | undefined>;

/**
 * Repeats `check` until it returns something other than false, null or undefined, and returns that. Returns null after
 * `timeoutMs`. `check` runs at least once.
 */
export async function waitUntil<Result>(
  check: () => Result | Promise<Result>,
  { timeoutMs, everyMs = 50, signal }: WaitOptions,
): Promise<Found<Result> | null> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const result = await check();
    if (result !== false && result !== null && result !== undefined) return result as Found<Result>;
    if (signal?.aborted || performance.now() >= deadlineMs) return null;
    await sleep(everyMs, undefined, signal && { signal }).catch(() => undefined);
  }
}
