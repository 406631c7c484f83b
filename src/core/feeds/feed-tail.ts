import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { FeedPages } from './feed-pages.ts';
import type { FeedSource } from './feed-source.ts';

/** Reads the new items of a log into pages whenever it is woken, so an idle feed costs no statement. */
export interface FeedTail {
  /** Listens for new items, and resolves when every later item will be read. */
  start(): Promise<void>;
  /** Reads new items now. A failed read is retried every second while there are readers. */
  wake(): void;
  /** Stops listening until the next `start`. */
  stop(): void;
}

interface TailOptions<Item, Position> {
  source: Pick<FeedSource<Item, Position>, 'head' | 'read' | 'poll'>;
  pages: Pick<FeedPages<Item, Position>, 'add' | 'readers'>;
  /** Registers a function to call when there may be new items. Returns an unsubscribe function. */
  onWake: (wake: () => void) => () => void;
  log: Logger;
}

const retryMs = 1_000;
/** Delay after a read, so that the items of a burst are read together. */
const debounceMs = 10;

export function createFeedTail<Item, Position>(options: TailOptions<Item, Position>): FeedTail {
  const { source, pages, onWake, log } = options;
  let head: Promise<Position> | undefined;
  let stopListening: (() => void) | undefined;
  let isReading = false;
  let isWoken = false;
  let retry: NodeJS.Timeout | undefined;

  async function readNew(start: Position): Promise<void> {
    let position = start;
    do {
      isWoken = false;
      const page = await (source.poll ? source.poll(position) : source.read(position));
      position = page.next;
      head = Promise.resolve(position);
      pages.add(page.items, position);
      if (page.hasMore) isWoken = true;
      else await sleep(debounceMs);
    } while (isWoken && pages.readers > 0);
  }

  function wake(): void {
    isWoken = true;
    if (isReading || !head) return;
    isReading = true;
    clearTimeout(retry);
    let failed = false;
    head
      .then(readNew)
      .catch((error: unknown) => {
        failed = true;
        log.warn({ err: error }, 'could not read a feed, will retry');
        if (pages.readers > 0) retry = setTimeout(wake, retryMs);
      })
      .finally(() => {
        isReading = false;
        if (isWoken && !failed && pages.readers > 0) wake();
      });
  }

  return {
    wake,
    // Subscribes before it reads the head, so that nothing is missed between the two.
    start: async () => {
      const isNew = stopListening === undefined;
      stopListening ??= onWake(wake);
      if (!head) {
        head = source.head();
        head.catch(() => (head = undefined));
      }
      if (isNew) wake();
      await head;
    },
    stop: () => {
      clearTimeout(retry);
      stopListening?.();
      stopListening = undefined;
    },
  };
}
