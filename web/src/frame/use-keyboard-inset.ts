import { useEffect } from 'react';

const isTyping = (): boolean => document.activeElement?.matches('input, textarea') ?? false;

/** Sets `--keyboard` to the height of a keyboard that covers the page, as on an iPhone, while a person types. */
export function useKeyboardInset(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const adjust = (): void => {
      // A magnified page is smaller without a keyboard, too.
      const covered = viewport.scale > 1 ? 0 : window.innerHeight - viewport.height - viewport.offsetTop;
      document.documentElement.style.setProperty('--keyboard', `${isTyping() ? Math.max(0, covered) : 0}px`);
    };
    const stop = new AbortController();
    const { signal } = stop;
    for (const event of ['resize', 'scroll']) viewport.addEventListener(event, adjust, { signal });
    for (const event of ['focusin', 'focusout']) document.addEventListener(event, adjust, { signal });
    return () => stop.abort();
  }, []);
}
