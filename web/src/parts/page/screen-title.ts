import { useSyncExternalStore } from 'react';

let shown = '';
const listeners = new Set<() => void>();

/** Sets the title of the current screen, for the frame around it. */
export function setScreenTitle(title: string): void {
  shown = title;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns the title of the current screen; while the next screen loads, still the previous title. */
export const useScreenTitle = (): string => useSyncExternalStore(subscribe, () => shown);
