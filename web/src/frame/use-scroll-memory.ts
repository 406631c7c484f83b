import { type ParsedLocation, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

type Position = readonly number[];

/** The window scrolls pages of visitors, `main` all others. Threads and panes set their own position. */
const scrollers = (): (Element | null)[] => [document.scrollingElement, document.querySelector('#content')];

/** Key of a history entry. Two visits of one address have different keys. */
const keyOf = ({ state, href }: ParsedLocation): string => state.__TSR_key ?? href;

/**
 * Restores the scroll position when the reader goes back or forward. A new entry starts at the top. The router's own
 * restoration would also move threads and panes.
 */
export function useScrollMemory(): void {
  const router = useRouter();
  useEffect(() => {
    const left = new Map<string, Position>();
    const stopLeaving = router.subscribe('onBeforeLoad', ({ fromLocation }) => {
      if (fromLocation)
        left.set(
          keyOf(fromLocation),
          scrollers().map((scroller) => scroller?.scrollTop ?? 0),
        );
    });
    // After the router, which scrolls the window to its top, and the heading, which takes the focus.
    const stopShowing = router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
      const key = keyOf(toLocation);
      // A page that is read again stays where the reader put it meanwhile.
      const position = fromLocation && key === keyOf(fromLocation) ? undefined : left.get(key);
      if (position) for (const [index, scroller] of scrollers().entries()) scroller?.scrollTo(0, position[index] ?? 0);
    });
    return () => {
      stopLeaving();
      stopShowing();
    };
  }, [router]);
}
