import { useEffect, useRef, useSyncExternalStore } from 'react';

/** An action of the current page, offered in the palette. */
export interface PageAction {
  label: string;
  run: () => void;
}

let actions: readonly PageAction[] = [];
const listeners = new Set<() => void>();

function change(next: readonly PageAction[]): void {
  actions = next;
  for (const listener of listeners) listener();
}

/** Offers actions in the palette while the page is shown. Their labels must not change. */
export function usePageActions(offered: readonly PageAction[]): void {
  const latest = useRef(offered);
  useEffect(() => {
    latest.current = offered;
  });
  const labels = offered.map(({ label }) => label).join('\n');
  useEffect(() => {
    const stable = labels.split('\n').map((label, index) => ({ label, run: () => latest.current[index]?.run() }));
    change([...actions, ...stable]);
    return () => change(actions.filter((action) => !stable.includes(action)));
  }, [labels]);
}

export const useOfferedActions = (): readonly PageAction[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => actions,
  );
