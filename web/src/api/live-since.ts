import { useSyncExternalStore } from 'react';
import { serviceNow } from './service-time.ts';

/** `asked`: a new tab asks the one that reads the live events. */
type TabMessage = 'asked' | { since: string | null };

let since: string | null = null;
let isReader = false;
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel('live-since');

function change(next: string | null): void {
  since = next;
  for (const listener of listeners) listener();
}

tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  if (data !== 'asked') change(data.since);
  else if (isReader) tabs.postMessage({ since } satisfies TabMessage);
});
tabs.postMessage('asked' satisfies TabMessage);

/** Reports to all tabs whether the connection of the live events is open. Called by the tab that reads them. */
export function reportLive(isOpen: boolean): void {
  isReader = isOpen;
  change(isOpen ? new Date(serviceNow()).toISOString() : null);
  tabs.postMessage({ since } satisfies TabMessage);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The service's time when the connection of the live events was opened; null while there is none. */
export const useLiveSince = (): string | null => useSyncExternalStore(subscribe, () => since);
