import { useSyncExternalStore } from 'react';

let shown = '';
const listeners = new Set<() => void>();

/** Notes the title of the screen that is shown, for what is around the screen. */
export function setScreenTitle(title: string): void {
  shown = title;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Title of the screen that is shown; while the next one loads, the one before. */
export const useScreenTitle = (): string => useSyncExternalStore(subscribe, () => shown);
