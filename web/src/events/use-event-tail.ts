import { useEffect, useState } from 'react';
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

/** Returns the events since the page was opened, optionally of one type. While paused, it does not receive any. */
export function useEventTail(type: WebhookEventType | undefined, isPaused: boolean): Tail {
  const [{ of, ...tail }, setTail] = useState<Tail & { of: WebhookEventType | undefined }>({ ...empty, of: type });
  // Discard the events of the previous type.
  if (of !== type) setTail({ ...empty, of: type });
  useEffect(() => {
    if (isPaused) return undefined;
    const stop = new AbortController();
    void follow(type, stop.signal, (change) => setTail((old) => ({ ...old, ...change(old) })));
    return () => stop.abort();
  }, [type, isPaused]);
  return tail;
}

type Change = (tail: Tail) => Partial<Tail>;

/** Follows the events and reconnects after each lost connection. */
async function follow(
  type: WebhookEventType | undefined,
  signal: AbortSignal,
  change: (change: Change) => void,
): Promise<void> {
  const types = type ? [type] : null;
  for (let attempt = 0; !signal.aborted; attempt++) {
    change(() => ({ since: new Date() }));
    try {
      for await (const { events } of subscribe(EventTailDocument, { types }, { signal })) {
        attempt = 0;
        change((old) => ({ events: [events, ...old.events].slice(0, maximum) }));
      }
    } catch {
      // Retried below.
    }
    if (signal.aborted) return;
    change(() => ({ since: null }));
    await waitForNetwork(attempt + 1, signal);
  }
}
