import { useEffect, useRef, useState } from 'react';
import { asApiError } from '../api/api-error.ts';
import { EventTailDocument, type EventTailSubscription, type WebhookEventType } from '../api/generated/operations.ts';
import { subscribe } from '../api/subscribe.ts';
import { waitForNetwork } from '../api/wait-for-network.ts';

type AccountEvent = EventTailSubscription['events'];

interface Tail {
  /** Newest first, at most 500. */
  events: readonly AccountEvent[];
  /** When the connection was opened; null while there is none. */
  since: Date | null;
}

const maximum = 500;
const empty: Tail = { events: [], since: null };

interface TailOptions {
  type: WebhookEventType | undefined;
  /** Whether events are received. Those of a pause follow when it ends. */
  isFollowed: boolean;
  /** Called when a connection starts without an event to resume after, because earlier events are not sent. */
  onGap: () => unknown;
}

/** Returns the events since the page was opened, optionally of one type. */
export function useEventTail({ type, isFollowed, onGap }: TailOptions): Tail {
  const [{ of, ...tail }, setTail] = useState<Tail & { of: WebhookEventType | undefined }>({ ...empty, of: type });
  const position = useRef<Position>({ type, newest: null });
  // Discard the events of the previous type.
  if (of !== type) setTail({ ...empty, of: type });
  useEffect(() => {
    if (!isFollowed) return undefined;
    const stop = new AbortController();
    if (position.current.type !== type) position.current = { type, newest: null };
    const change: Change = (changed) => setTail((old) => ({ ...old, ...changed(old) }));
    void follow(position.current, { change, onGap, signal: stop.signal });
    return () => {
      stop.abort();
      setTail((old) => ({ ...old, since: null }));
    };
  }, [type, isFollowed, onGap]);
  return tail;
}

type Change = (changed: (tail: Tail) => Partial<Tail>) => void;

/** The event to resume after, when following the events of a type. */
interface Position {
  type: WebhookEventType | undefined;
  newest: string | null;
}

interface Reader {
  change: Change;
  onGap: () => unknown;
  signal: AbortSignal;
}

/** Follows the events and reconnects after each lost connection. */
async function follow(position: Position, { change, onGap, signal }: Reader): Promise<void> {
  const types = position.type ? [position.type] : null;
  for (let attempt = 0; !signal.aborted; attempt++) {
    const after = position.newest;
    const onOpen = (): void => {
      if (signal.aborted) return;
      change(() => ({ since: new Date() }));
      if (after === null) onGap();
    };
    try {
      for await (const { events: event } of subscribe(EventTailDocument, { types, after }, { signal, onOpen })) {
        attempt = 0;
        position.newest = event.id;
        change(({ events }) => ({ events: added(events, event) }));
      }
    } catch (error) {
      // The event to resume after is no longer stored.
      if (asApiError(error).details.some(({ field }) => field === 'after')) position.newest = null;
    }
    if (signal.aborted) return;
    change(() => ({ since: null }));
    await waitForNetwork(attempt + 1, signal);
  }
}

/** Resuming may repeat an event. */
const added = (events: readonly AccountEvent[], event: AccountEvent): readonly AccountEvent[] =>
  events.some(({ id }) => id === event.id) ? events : [event, ...events].slice(0, maximum);
