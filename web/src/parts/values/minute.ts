import { useSyncExternalStore } from 'react';

// One timer for all relative times of a page, and none while the page is hidden.

const minuteMs = 60_000;
const listeners = new Set<() => void>();
let minutes = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  minutes += 1;
  for (const listener of listeners) listener();
}

function startOrStop(): void {
  clearInterval(timer);
  timer = listeners.size > 0 && !document.hidden ? setInterval(tick, minuteMs) : undefined;
}

function onVisibilityChange(): void {
  if (!document.hidden) tick();
  startOrStop();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    document.addEventListener('visibilitychange', onVisibilityChange);
    startOrStop();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', onVisibilityChange);
    startOrStop();
  };
}

/** Renders the component again each minute. */
export const useMinute = (): number => useSyncExternalStore(subscribe, () => minutes);
