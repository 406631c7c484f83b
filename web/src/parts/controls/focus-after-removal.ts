const controls = 'a[href], button';

/**
 * Returns a function that finds what receives the focus once an element is removed: the first control of its row of the
 * list, else of the next or the previous row, else of its dialog, else the heading.
 */
export function successorOf(element: Element | null, row = element?.closest('li, tr')): () => HTMLElement | null {
  const nearby = [row, row?.nextElementSibling, row?.previousElementSibling, element?.closest('[role$=dialog]')];
  return () =>
    nearby.find((one) => one?.isConnected && one.querySelector(controls))?.querySelector<HTMLElement>(controls) ??
    document.querySelector('h1');
}

/** Focuses the successor, unless something else has received the focus by the next frame. */
export const focusSuccessor = (find: () => HTMLElement | null): void =>
  void requestAnimationFrame(() => {
    if (document.activeElement === document.body) find()?.focus();
  });

/** A `ref` of a button or a row that may be removed while it has the focus, which then moves on. */
export const moveFocusOnRemoval = (element: Element | null) => (): void => {
  if (element?.contains(document.activeElement)) focusSuccessor(successorOf(element));
};
