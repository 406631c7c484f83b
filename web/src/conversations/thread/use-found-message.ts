import { type RefObject, useEffect, useRef } from 'react';
import { keepInPlace } from '../../chat/thread/keep-in-place.ts';
import { markWords } from '../search/mark-words.ts';

const markedMs = 2_000;

/**
 * Scrolls a found message to the middle of the view and marks it for two seconds, and its words of the search `q` while it is open. `prepareThread` opened the thread at it.
 * If it changes later to a message that is not loaded, the thread is loaded around that one.
 */
export function useFoundMessage(
  { m: id, q }: { m?: string | undefined; q?: string | undefined },
  messages: readonly { id: string }[],
  isLoading: boolean,
  open: (id: string) => void,
  scroller: RefObject<HTMLElement | null>,
): void {
  const asked = useRef(id);
  const shown = useRef<string | undefined>(undefined);
  const isLoaded = id !== undefined && messages.some((message) => message.id === id);
  useEffect(() => {
    if (id === undefined || isLoaded || isLoading || asked.current === id) return;
    asked.current = id;
    open(id);
  });
  useEffect(() => {
    const view = scroller.current;
    if (!isLoaded || !view || shown.current === id) return;
    const element = view.querySelector<HTMLElement>(`[data-message="${id}"]`);
    if (!element) return;
    shown.current = id;
    element.dataset['found'] = '';
    setTimeout(() => delete element.dataset['found'], markedMs);
    element.scrollIntoView({ block: 'center' });
    return keepInPlace(view, element, () => middleOf(view, element));
  }, [id, isLoaded, scroller]);
  useEffect(() => {
    const element = isLoaded ? scroller.current?.querySelector(`[data-message="${id}"]`) : null;
    return element && q !== undefined ? markWords(element, q) : undefined;
  }, [id, isLoaded, q, scroller]);
}

/** Returns the offset that centres an element in the view, or aligns its top when it is taller. */
function middleOf(view: HTMLElement, element: Element): number {
  const { top, height } = view.getBoundingClientRect();
  return top + Math.max(0, (height - element.getBoundingClientRect().height) / 2);
}
