/** What a reader does that ends it. */
const scrolls = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
/** Messages that were just added get their heights over some frames. */
const unsettledFrames = 20;

/**
 * Keeps an element of a thread where it should be, until all is drawn or the reader scrolls. Heights are corrected before
 * they are painted, so that nothing jumps. Returns a function that ends it.
 */
export function keepInPlace(view: HTMLElement, element: Element, topOf: (element: Element) => number): () => void {
  let frame = 0;
  let left = unsettledFrames;
  const correct = (): void => {
    const moved = element.isConnected ? element.getBoundingClientRect().top - topOf(element) : 0;
    if (Math.abs(moved) >= 1) view.scrollBy(0, moved);
  };
  const sizes = new ResizeObserver(correct);
  const step = (): void => {
    correct();
    left -= 1;
    if (left > 0) frame = requestAnimationFrame(step);
    else stop();
  };
  const stop = (): void => {
    cancelAnimationFrame(frame);
    sizes.disconnect();
    for (const event of scrolls) view.removeEventListener(event, stop);
  };
  for (const event of scrolls) view.addEventListener(event, stop, { passive: true });
  if (element.parentElement) sizes.observe(element.parentElement);
  step();
  return stop;
}
