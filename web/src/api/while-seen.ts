/** Runs `work` while the tab is visible and for `hiddenMs` after that. Returns a function that stops it. */
export function whileSeen(hiddenMs: number, work: (signal: AbortSignal) => void): () => void {
  let running: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = (): void => {
    clearTimeout(timer);
    if (document.hidden) {
      timer = setTimeout(stop, hiddenMs);
    } else if (!running) {
      running = new AbortController();
      work(running.signal);
    }
  };
  const stop = (): void => {
    running?.abort();
    running = null;
  };
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    clearTimeout(timer);
    stop();
  };
}
