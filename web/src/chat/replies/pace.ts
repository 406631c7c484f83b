const shortestMs = 50;
/** After a rendering that took t, rendering pauses for this multiple of t. */
const restFactor = 3;

/**
 * Calls `draw` after a `request`: at most 20 times a second, less often while rendering is slow, and never in a hidden
 * tab. `flush` runs a pending `draw` immediately.
 */
export function createPace(draw: () => void): { request(): void; flush(): void } {
  let isPending = false;
  let nextAt = 0;
  const run = (): void => {
    if (!isPending) return;
    isPending = false;
    const start = performance.now();
    draw();
    // After React has committed and the browser has laid out.
    requestAnimationFrame(() =>
      setTimeout(() => {
        nextAt = performance.now() + Math.max(shortestMs, restFactor * (performance.now() - start - 16));
      }),
    );
    nextAt = start + shortestMs;
  };
  const request = (): void => {
    if (isPending) return;
    isPending = true;
    // Hidden tabs get no animation frames, so drawing waits until the tab is visible.
    setTimeout(() => requestAnimationFrame(run), Math.max(0, nextAt - performance.now()));
  };
  return { request, flush: run };
}
