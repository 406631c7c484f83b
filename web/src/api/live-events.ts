import type { QueryClient } from '@tanstack/react-query';
import { asApiError } from './api-error.ts';
import { LiveEventsDocument, type LiveEventsSubscription } from './generated/operations.ts';
import { oneAtATime } from './locks.ts';
import { maxSocketFailures } from './service-socket.ts';
import { subscribe } from './subscribe.ts';
import { subscribeOverSocket } from './subscribe-socket.ts';
import { waitForNetwork } from './wait-for-network.ts';

export type LiveEvent = LiveEventsSubscription['events'];

/** What events do to the cache, by type. Each feature has its own; the frame joins them. */
export type LiveUpdates = Partial<Record<LiveEvent['type'], (cache: QueryClient, event: LiveEvent) => void>>;

/** A text in the data of an event, which is what the body of a webhook has. */
export const textIn = ({ data }: LiveEvent, name: string): string => {
  const value = data[name];
  return typeof value === 'string' ? value : '';
};

export interface LiveListener {
  /** The last event before anything that is shown was read; null when there is none or it is not known. */
  after: string | null;
  onEvent: (event: LiveEvent) => void;
  /** Events were missed: what is shown may be old. */
  onGap: () => void;
}

/** Hidden tabs hold the connection this long, so that looking away for a moment costs nothing. */
const hiddenMs = 5 * 60_000;
const lastKey = 'live-after';

/**
 * Follows the account's events over one connection a browser: over HTTP/1.1 a connection a tab would leave none for the
 * seventh. One tab reads them and relays them to the others; when it is gone another resumes after the last it received.
 */
export function followLiveEvents({ after, onEvent, onGap }: LiveListener): () => void {
  if (after !== null && sessionStorage.getItem(lastKey) === null) sessionStorage.setItem(lastKey, after);
  const tabs = new BroadcastChannel('live');
  const take = (event: LiveEvent): void => {
    sessionStorage.setItem(lastKey, event.id);
    onEvent(event);
  };
  tabs.addEventListener('message', ({ data }: MessageEvent<LiveEvent>) => take(data));
  const read = (signal: AbortSignal): Promise<void> =>
    readEvents(signal, onGap, (event) => {
      tabs.postMessage(event);
      take(event);
    });
  const stopSeen = whileSeen((signal) => void oneAtATime('live', signal, () => read(signal)));
  return () => {
    stopSeen();
    tabs.close();
    sessionStorage.removeItem(lastKey);
  };
}

/** Reads until it is aborted, through any number of lost connections. */
async function readEvents(signal: AbortSignal, onGap: () => void, onEvent: (event: LiveEvent) => void): Promise<void> {
  let socketFailures = 0;
  for (let attempt = 0; !signal.aborted; attempt++) {
    const after = sessionStorage.getItem(lastKey);
    const isSocket = socketFailures < maxSocketFailures;
    if (isSocket && navigator.onLine) socketFailures++;
    const onOpen = (): void => {
      if (isSocket) socketFailures = 0;
      // Without an event to resume after, what happened while there was no connection is not sent.
      if (after === null) onGap();
    };
    try {
      const open = isSocket ? subscribeOverSocket : subscribe;
      for await (const { events } of open(LiveEventsDocument, { after }, { signal, onOpen })) {
        attempt = 0;
        onEvent(events);
      }
    } catch (error) {
      // The event to resume after is no longer kept.
      if (after !== null && asApiError(error).details.some(({ field }) => field === 'after')) {
        sessionStorage.removeItem(lastKey);
        onGap();
      }
    }
    if (!signal.aborted) await waitForNetwork(attempt, signal);
  }
}

/** Runs `work` while the tab is seen and for five minutes after that. */
function whileSeen(work: (signal: AbortSignal) => void): () => void {
  let running: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = (): void => {
    clearTimeout(timer);
    if (document.hidden) {
      timer = setTimeout(stop, hiddenMs);
    } else if (!running) {
      running = new AbortController();
      work(running.signal);
    }
  };
  const stop = (): void => {
    running?.abort();
    running = null;
  };
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    clearTimeout(timer);
    stop();
  };
}
