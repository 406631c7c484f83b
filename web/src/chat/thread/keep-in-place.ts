/** Events of the reader that end it. */
const scrolls = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
/** Frames until newly added messages have their final heights. */
const unsettledFrames = 20;

/**
 * Keeps an element of a thread at a fixed position until the layout is stable or something else scrolls: the reader, a
 * search of the browser, a button. Corrects it before each paint, so that nothing jumps. Returns a function that ends it.
 */
export function keepInPlace(view: HTMLElement, element: Element, topOf: (element: Element) => number): () => void {
  let frame = 0;
  let left = unsettledFrames;
  let { scrollTop, scrollHeight } = view;
  const correct = (): void => {
    // Where the height has changed, the browser may have scrolled by itself.
    if (Math.abs(view.scrollTop - scrollTop) > 1 && view.scrollHeight === scrollHeight) return stop();
    const moved = element.isConnected ? element.getBoundingClientRect().top - topOf(element) : 0;
    if (Math.abs(moved) >= 1) view.scrollBy(0, moved);
    ({ scrollTop, scrollHeight } = view);
  };
  const sizes = new ResizeObserver(correct);
  const step = (): void => {
    frame = requestAnimationFrame(step);
    correct();
    left -= 1;
    if (left <= 0) stop();
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
