import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

const rows = 'li, tr';
const controls = 'a[href], button';

interface Before {
  opener: Element | null;
  nearby: readonly (Element | null | undefined)[];
}

function successorOf({ nearby }: Before): HTMLElement | null {
  const row = nearby.find((one) => one?.isConnected);
  return row?.querySelector<HTMLElement>(controls) ?? document.querySelector('h1');
}

/**
 * Moves the focus when the action of a dialog removes the element that opened it: to the next row of the list, else to
 * the previous row, else to the heading. `marker` is an element in the row, if the dialog belongs to one.
 */
export function useFocusAfterRemoval(isOpen: boolean, marker: RefObject<Element | null>) {
  const before = useRef<Before>({ opener: null, nearby: [] });
  useLayoutEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement;
    const row = marker.current?.closest(rows) ?? opener?.closest(rows);
    before.current = { opener, nearby: [row?.nextElementSibling, row?.previousElementSibling] };
  }, [isOpen, marker]);
  // A dialog that is removed with its row cannot return the focus.
  useEffect(
    () => () =>
      void requestAnimationFrame(() => {
        if (document.activeElement === document.body) successorOf(before.current)?.focus();
      }),
    [],
  );
  return (): HTMLElement | true | null =>
    before.current.opener?.isConnected === false ? successorOf(before.current) : true;
}
