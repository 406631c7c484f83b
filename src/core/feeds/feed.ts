import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { createFeedPages } from './feed-pages.ts';

export interface FeedPage<Item, Position> {
  items: readonly Item[];
  /** Position at which the next page begins. */
  next: Position;
  hasMore: boolean;
}

/** Source of a feed: a log in the database, and the positions at which readers resume. */
export interface FeedSource<Item, Position> {
  /** Returns the position after everything that is committed now. */
  head(): Promise<Position>;
  /** Returns the items after a position, for a reader that is behind. */
  read(position: Position): Promise<FeedPage<Item, Position>>;
  /** Reads new items for all readers. Defaults to `read`. */
  poll?(head: Position): Promise<FeedPage<Item, Position>>;
  /** Returns a function that reports whether a reader at `position` has seen an item already. */
  isRead(position: Position): (item: Item) => boolean;
  /** Returns whether an item still grows. A reader that joins begins with such an item. */
  isOpen?(item: Item): boolean;
  /**
   * Returns an item with the current state for a reader that joins; null while the state is unknown. Later changes are
   * items that follow.
   */
  now?(): Item | null;
}

interface FeedOptions<Item, Position> {
  source: FeedSource<Item, Position>;
  /** Registers a function to call when there may be new items. Returns an unsubscribe function. */
  onWake: (wake: () => void) => () => void;
  /** Called when the last reader leaves. */
  onEmpty: () => void;
  log: Logger;
}

/** The committed items of a log, read once for any number of readers of this process. */
export interface Feed<Item, Position> {
  /** Yields the items after `from` until `left` fires. When `from` is null, begins at the current end. */
  follow(from: Position | null, left: AbortSignal): AsyncGenerator<Item, void, void>;
  /**
   * Joins a reader whose position is read after this has resolved. The reader misses nothing and does not read the log
   * itself. It leaves when `left` fires, even before it begins to read.
   */
  join(left: AbortSignal): Promise<(from: Position) => AsyncGenerator<Item, void, void>>;
  /** Reads new items now. */
  wake(): void;
}

/**
 * Limits how many readers of all feeds catch up at the same time, so that requests still get a connection when all
 * clients reconnect at once.
 */
const catchUp = pLimit(4);

const retryMs = 1_000;
/** Delay after a read, so that the items of a burst are read together. */
const debounceMs = 10;

/**
 * Creates a feed. It reads only when it is woken, so an idle feed costs no statement. Readers pull: recent pages are
 * kept for all readers, up to a limit, and a reader that falls behind them reads the log itself until it has caught up.
 */
export function createFeed<Item, Position>(options: FeedOptions<Item, Position>): Feed<Item, Position> {
  const { source, log, onWake, onEmpty } = options;
  const pages = createFeedPages<Item, Position>((item) => source.isOpen?.(item) ?? false);
  let started: Promise<Position> | undefined;
  let stopListening: (() => void) | undefined;
  let isReading = false;
  let isWoken = false;
  let retry: NodeJS.Timeout | undefined;

  async function readNew(start: Position): Promise<void> {
    let head = start;
    do {
      isWoken = false;
      const page = await (source.poll ? source.poll(head) : source.read(head));
      head = page.next;
      started = Promise.resolve(head);
      pages.add(page.items, head);
      if (page.hasMore) isWoken = true;
      else await sleep(debounceMs);
    } while (isWoken && pages.readers > 0);
  }

  function wake(): void {
    isWoken = true;
    if (isReading || !started) return;
    isReading = true;
    clearTimeout(retry);
    let failed = false;
    started
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

  /** Subscribes before it reads the head, so that nothing is missed between the two. */
  async function start(): Promise<void> {
    const isNew = stopListening === undefined;
    stopListening ??= onWake(wake);
    if (!started) {
      started = source.head();
      started.catch(() => (started = undefined));
    }
    if (isNew) wake();
    await started;
  }

  /** Creates a reader of the pages that are added from now on. `leave` may be called twice. */
  function enter(left: AbortSignal) {
    const reader = pages.join();
    let isHere = true;
    const leave = (): void => {
      if (!isHere) return;
      isHere = false;
      left.removeEventListener('abort', leave);
      reader.leave();
      if (pages.readers > 0) return;
      clearTimeout(retry);
      stopListening?.();
      stopListening = undefined;
      onEmpty();
    };
    left.addEventListener('abort', leave);
    return { reader, leave };
  }

  async function join(left: AbortSignal): Promise<(from: Position) => AsyncGenerator<Item, void, void>> {
    const entered = enter(left);
    entered.reader.moveToEnd();
    try {
      await start();
    } catch (error) {
      entered.leave();
      throw error;
    }
    if (left.aborted) entered.leave();
    return (from) => read(from, left, entered);
  }

  async function* read(
    from: Position | null,
    left: AbortSignal,
    joined?: ReturnType<typeof enter>,
  ): AsyncGenerator<Item, void, void> {
    const { reader, leave } = joined ?? enter(left);
    try {
      if (!joined) {
        await start();
        reader.moveToEnd();
      }
      let position: Position = from ?? (await source.head());
      let mustCatchUp = from !== null && !joined;
      while (!left.aborted) {
        const now = source.now?.() ?? null;
        if (now !== null) yield now;
        for (let hasMore = mustCatchUp; hasMore && !left.aborted;) {
          const reached = position;
          const page = await catchUp(() => source.read(reached));
          yield* page.items;
          position = page.next;
          hasMore = page.hasMore;
        }
        const isRead = source.isRead(position);
        // This loop ends when the reader has fallen behind the kept pages.
        while (!left.aborted) {
          const page = reader.next();
          if (page === 'behind') break;
          if (page === null) {
            await reader.changed();
            continue;
          }
          let isNew = false;
          for (const item of page.items) {
            if (isRead(item)) continue;
            isNew = true;
            yield item;
          }
          if (isNew) position = page.after;
        }
        mustCatchUp = true;
        reader.moveToEnd();
      }
    } finally {
      leave();
    }
  }

  return { follow: read, join, wake };
}
