/** A connection that ends sooner than this after it opened has failed: the next one waits longer. */
export const shortestConnectionMs = 5_000;
const delaysMs = [0, 500, 1_000, 2_000, 4_000];
const longestDelayMs = 8_000;

/** Waits this long, or until the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ms === 0 || signal.aborted) return resolve();
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * Waits longer with each attempt, up to 8 s, and that long without a network. Ends early when the network returns or the tab
 * is shown or hidden.
 */
export function waitForNetwork(attempt: number, signal: AbortSignal): Promise<void> {
  const delay = (navigator.onLine ? delaysMs[attempt] : undefined) ?? longestDelayMs;
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener('online', done);
      document.removeEventListener('visibilitychange', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delay + Math.random() * 0.2 * delay);
    addEventListener('online', done);
    document.addEventListener('visibilitychange', done);
    signal.addEventListener('abort', done);
  });
}
