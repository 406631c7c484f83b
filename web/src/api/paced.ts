/**
 * Returns a function that requests a run of `work`. It starts `pauseMs` after the first request; a request during a run
 * is followed by another one. Rejections are ignored.
 */
export function paced(pauseMs: number, work: () => Promise<unknown>): () => void {
  let isRequested = false;
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isRequested) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      isRequested = false;
      await work().catch(() => undefined);
    }
    isRunning = false;
  };
  return () => {
    isRequested = true;
    if (!isRunning) void run();
  };
}
