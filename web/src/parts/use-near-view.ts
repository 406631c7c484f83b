import { type RefObject, useEffect, useRef } from 'react';

interface NearView {
  /** Off while the next part loads, after a failure and at the end. */
  isWatching: boolean;
  /** What the reader does first: content that has just been shown may be near the view without that. */
  after: readonly ('scroll' | 'touchmove' | 'wheel')[];
  onNear: () => void;
}

const near = '400px 0px';

/** Calls `onNear` when the reader brings an element near the view of its scroller. */
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

/** The element that scrolls what is in it, or null for the window. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let outer = element.parentElement; outer && outer !== document.body; outer = outer.parentElement)
    if (/auto|scroll/.test(getComputedStyle(outer).overflowY)) return outer;
  return null;
}
