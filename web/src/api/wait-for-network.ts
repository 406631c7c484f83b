const delaysMs = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** Waits longer with each attempt, up to 8 s. Ends early when the network returns or the tab is shown or hidden. */
export function waitForNetwork(attempt: number, signal: AbortSignal): Promise<void> {
  const delay = delaysMs[Math.min(attempt, delaysMs.length - 1)] ?? 0;
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
