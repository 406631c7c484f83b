import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { focusSuccessor, successorOf } from './focus-after-removal.ts';

/**
 * Moves the focus when the action of a dialog removes the element that opened it. `marker` is an element in the row, if
 * the dialog belongs to one.
 */
export function useFocusAfterRemoval(isOpen: boolean, marker: RefObject<Element | null>) {
  const before = useRef({ opener: null as Element | null, find: successorOf(null) });
  useLayoutEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement;
    before.current = { opener, find: successorOf(opener, marker.current?.closest('li, tr') ?? undefined) };
  }, [isOpen, marker]);
  // A dialog that is removed with its row cannot return the focus.
  useEffect(() => () => focusSuccessor(before.current.find), []);
  return (): HTMLElement | true | null => (before.current.opener?.isConnected === false ? before.current.find() : true);
}
