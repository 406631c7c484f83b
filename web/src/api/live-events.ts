import { keep } from './keep.ts';
import type { QueryClient } from '@tanstack/react-query';
import { asApiError } from './api-error.ts';
import { LiveEventsDocument, type LiveEventsSubscription } from './generated/operations.ts';
import { reportLive } from './live-since.ts';
import { oneAtATime } from './locks.ts';
import { maxSocketFailures } from './service-socket.ts';
import { subscribe } from './subscribe.ts';
import { subscribeOverSocket } from './subscribe-socket.ts';
import { waitForNetwork } from './wait-for-network.ts';
import { whileSeen } from './while-seen.ts';

export type LiveEvent = LiveEventsSubscription['events'];

/** Cache updates by event type. Each feature declares its own; the frame combines them. */
export type LiveUpdates = Partial<Record<LiveEvent['type'], (cache: QueryClient, event: LiveEvent) => void>>;

/** Returns a text from the data of an event, which is that of a webhook body. */
export const textIn = ({ data }: LiveEvent, name: string): string => {
  const value = data[name];
  return typeof value === 'string' ? value : '';
};

export interface LiveListener {
  /** The last event before the shown data was fetched; null when there is none or it is unknown. */
  after: string | null;
  onEvent: (event: LiveEvent) => void;
  /** Requests the id of the account's last event; null when there is none. */
  findLast: () => Promise<string | null>;
  /** Called when events were missed, so the shown data may be stale. */
  onGap: () => void;
}

/** How long a hidden tab keeps the connection, so that a short switch to another tab does not reconnect. */
const hiddenMs = 5 * 60_000;
const lastKey = 'live-after';

/** What tabs send each other. `asked`: a new tab asks the one that reads for the last event that it received. */
type TabMessage = 'asked' | { last: string | null } | { event: LiveEvent };

const watchers = new Set<(event: LiveEvent) => void>();

/** Calls `watcher` with every live event while the frame follows them. Returns a function that stops it. */
export function watchLiveEvents(watcher: (event: LiveEvent) => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/**
 * Follows the account's events over one connection per browser, because HTTP/1.1 browsers open only six per host. One
 * tab reads the events and relays them to the others. When it closes, another resumes after the last event it received.
 */
export function followLiveEvents(listener: LiveListener): () => void {
  const { after, onEvent } = listener;
  if (after !== null && sessionStorage.getItem(lastKey) === null) keep(sessionStorage, lastKey, after);
  const tabs = new BroadcastChannel('live');
  const tell = (message: TabMessage): void => tabs.postMessage(message);
  let isReading = false;
  const take = (event: LiveEvent): void => {
    keep(sessionStorage, lastKey, event.id);
    onEvent(event);
    for (const watcher of watchers) watcher(event);
  };
  // What this tab has loaded can be older than the last event, which was relayed before it listened.
  const catchUp = once((last: string | null) => {
    if (last === sessionStorage.getItem(lastKey)) return;
    if (last !== null) keep(sessionStorage, lastKey, last);
    listener.onGap();
  });
  tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data === 'asked') return isReading && tell({ last: sessionStorage.getItem(lastKey) });
    if ('event' in data) return take(data.event);
    if (!isReading) catchUp(data.last);
  });
  tell('asked');
  const read = async (signal: AbortSignal): Promise<void> => {
    isReading = true;
    await readEvents(signal, listener, (event) => {
      tell({ event });
      take(event);
    });
    isReading = false;
  };
  let isShownAgain = false;
  const stopSeen = whileSeen(hiddenMs, (signal) => {
    // Another tab may have resumed after an event that this one did not receive.
    if (isShownAgain) listener.onGap();
    isShownAgain = true;
    void oneAtATime('live', signal, () => read(signal));
  });
  return () => {
    stopSeen();
    tabs.close();
    sessionStorage.removeItem(lastKey);
  };
}

/** Returns a function that calls `work` only the first time. */
function once<Input>(work: (input: Input) => void): (input: Input) => void {
  let isDone = false;
  return (input) => {
    if (isDone) return;
    isDone = true;
    work(input);
  };
}

/** Reads events until aborted, and reconnects after each lost connection. */
async function readEvents(
  signal: AbortSignal,
  listener: LiveListener,
  onEvent: (event: LiveEvent) => void,
): Promise<void> {
  let socketFailures = 0;
  reportLive(false);
  for (let attempt = 0; !signal.aborted; attempt++) {
    const after = sessionStorage.getItem(lastKey);
    const isSocket = socketFailures < maxSocketFailures;
    if (isSocket && navigator.onLine) socketFailures++;
    const onOpen = (): void => {
      if (isSocket) socketFailures = 0;
      reportLive(true);
      if (after === null) void noteMissed(listener).catch(listener.onGap);
    };
    try {
      const open = isSocket ? subscribeOverSocket : subscribe;
      for await (const { events } of open(LiveEventsDocument, { after }, { signal, onOpen })) {
        attempt = 0;
        onEvent(events);
      }
    } catch (error) {
      // The event to resume after is no longer stored.
      if (after !== null && asApiError(error).details.some(({ field }) => field === 'after')) {
        sessionStorage.removeItem(lastKey);
        listener.onGap();
      }
    }
    reportLive(false);
    if (!signal.aborted) await waitForNetwork(attempt, signal);
  }
}

/** Without an event to resume after, events from before the connection are not sent. A new account has none. */
async function noteMissed({ findLast, onGap }: LiveListener): Promise<void> {
  const last = await findLast();
  if (last === null) return;
  if (sessionStorage.getItem(lastKey) === null) keep(sessionStorage, lastKey, last);
  onGap();
}
