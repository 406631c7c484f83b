import { type ParsedLocation, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

type Position = readonly number[];

/** The window scrolls a page of a visitor, `main` any other. Threads and panes place themselves. */
const scrollers = (): (Element | null)[] => [document.scrollingElement, document.querySelector('#content')];

/** Of an entry of the history: two visits of one address are two. */
const keyOf = ({ state, href }: ParsedLocation): string => state.__TSR_key ?? href;

/** Shows a page where it was left, when the reader goes back or forward to it. A new entry begins at its top. */
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
