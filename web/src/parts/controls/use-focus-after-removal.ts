import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

const rows = 'li, tr';
const controls = 'a[href], button';

interface Before {
  opener: Element | null;
  dialog?: HTMLElement | null;
  nearby: readonly (Element | null | undefined)[];
}

const near = (row: Element | null | undefined) => [row, row?.nextElementSibling, row?.previousElementSibling];

function successorOf({ nearby, dialog }: Before): HTMLElement | null {
  const row = nearby.find((one) => one?.isConnected && one.querySelector(controls));
  const inRow = row?.querySelector<HTMLElement>(controls);
  return inRow ?? (dialog?.isConnected ? dialog : document.querySelector('h1'));
}

/** Focuses the successor, unless something else has received the focus by the next frame. */
const focusSuccessor = (before: Before): void =>
  void requestAnimationFrame(() => {
    if (document.activeElement === document.body) successorOf(before)?.focus();
  });

/**
 * Moves the focus when the action of a dialog removes the element that opened it: to its row of the list, else to the
 * next or the previous row, else to the heading. `marker` is an element in the row, if the dialog belongs to one.
 */
export function useFocusAfterRemoval(isOpen: boolean, marker: RefObject<Element | null>) {
  const before = useRef<Before>({ opener: null, nearby: [] });
  useLayoutEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement;
    const row = marker.current?.closest(rows) ?? opener?.closest(rows);
    before.current = { opener, nearby: near(row) };
  }, [isOpen, marker]);
  // A dialog that is removed with its row cannot return the focus.
  useEffect(() => () => focusSuccessor(before.current), []);
  return (): HTMLElement | true | null =>
    before.current.opener?.isConnected === false ? successorOf(before.current) : true;
}

/** Moves the focus likewise when a button or a row that has the focus is removed, within the dialog if it is in one. */
export function useFocusAfterUnmount(element: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    const opener = element.current;
    return () => {
      // It is still in its row or list.
      if (opener?.contains(document.activeElement))
        focusSuccessor({
          opener,
          dialog: opener.closest<HTMLElement>('[role=dialog], [role=alertdialog]'),
          nearby: near(opener.closest(rows)),
        });
    };
  }, [element]);
}
