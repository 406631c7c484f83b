import { type RefObject, useEffect, useRef } from 'react';

interface NearView {
  /** False while the next page loads, after a failure, and at the end of the list. */
  isWatching: boolean;
  /** Events of the reader that start the observation. Without one, content that has just appeared would count as near. */
  after: readonly ('scroll' | 'touchmove' | 'wheel')[];
  onNear: () => void;
}

const near = '400px 0px';

/** Calls `onNear` when the reader scrolls to within 400 px of an element. */
export function useNearView(element: RefObject<HTMLElement | null>, { isWatching, after, onNear }: NearView): void {
  const latest = useRef(onNear);
  useEffect(() => {
    latest.current = onNear;
  });
  useEffect(() => {
    const watched = element.current;
    if (!isWatching || !watched) return;
    const scroller = scrollerOf(watched);
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && latest.current(), {
      root: scroller,
      rootMargin: near,
    });
    const moved = scroller ?? document;
    const watch = (): void => observer.observe(watched);
    for (const event of after) moved.addEventListener(event, watch, { passive: true });
    // The reader may have scrolled while something loaded.
    if (after.includes('scroll') && (scroller ?? document.documentElement).scrollTop > 0) watch();
    return () => {
      observer.disconnect();
      for (const event of after) moved.removeEventListener(event, watch);
    };
  }, [element, isWatching, after]);
}

/** Returns the nearest scrolling ancestor, or null for the window. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let outer = element.parentElement; outer && outer !== document.body; outer = outer.parentElement)
    if (/auto|scroll/.test(getComputedStyle(outer).overflowY)) return outer;
  return null;
}
