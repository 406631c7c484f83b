import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { createFeedMemory } from './feed-memory.ts';
import { createFeedPages } from './feed-pages.ts';
import { createFeedTail } from './feed-tail.ts';
import type { FeedPage, FeedSource } from './feed-source.ts';

interface FeedOptions<Item, Position> {
  /** The account, or the room, with whose other feeds the feed shares a limit of memory. */
  account: string;
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

/**
 * Creates a feed. Readers pull: recent pages are kept for all readers, up to a limit, and a reader that falls behind
 * them reads the log itself until it has caught up.
 */
export function createFeed<Item, Position>(options: FeedOptions<Item, Position>): Feed<Item, Position> {
  const { source, onEmpty } = options;
  const pages = createFeedPages<Item, Position>((item) => source.isOpen?.(item) ?? false, {
    memory: createFeedMemory(options.account),
    sizeOf: source.sizeOf && ((item) => source.sizeOf?.(item) ?? 0),
  });
  const tail = createFeedTail({ ...options, pages });
  const ofFeed = pLimit(1);
  const waiting = new Map<string, Promise<FeedPage<Item, Position>>>();

  /** Reads the page after `from` once for all readers that ask for it before the read begins. */
  function readPage(from: Position): Promise<FeedPage<Item, Position>> {
    const key = JSON.stringify(from);
    const read = (): Promise<FeedPage<Item, Position>> => {
      // A reader that arrives now must see everything committed before this read.
      waiting.delete(key);
      return source.read(from);
    };
    const page = waiting.get(key) ?? ofFeed(() => catchUp(read));
    waiting.set(key, page);
    return page;
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
      tail.stop();
      onEmpty();
    };
    left.addEventListener('abort', leave);
    return { reader, leave };
  }

  async function join(left: AbortSignal): Promise<(from: Position) => AsyncGenerator<Item, void, void>> {
    const entered = enter(left);
    entered.reader.moveToEnd();
    try {
      await tail.start();
    } catch (error) {
      entered.leave();
      throw error;
    }
    if (left.aborted) entered.leave();
    return (from) => read(from, left, entered);
  }

  /** Yields the items of the log after `from`, and returns the position after them. */
  async function* readLog(from: Position, left: AbortSignal): AsyncGenerator<Item, Position, void> {
    let position = from;
    for (let hasMore = true; hasMore && !left.aborted;) {
      const page = await readPage(position);
      yield* page.items;
      position = page.next;
      hasMore = page.hasMore;
    }
    return position;
  }

  async function* read(
    from: Position | null,
    left: AbortSignal,
    joined?: ReturnType<typeof enter>,
  ): AsyncGenerator<Item, void, void> {
    const { reader, leave } = joined ?? enter(left);
    try {
      if (!joined) {
        await tail.start();
        reader.moveToEnd();
      }
      let position: Position = from ?? (await source.head());
      let mustCatchUp = from !== null && !joined;
      while (!left.aborted) {
        const now = source.now?.() ?? null;
        if (now !== null) yield now;
        if (mustCatchUp) position = yield* readLog(position, left);
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

  return { follow: read, join, wake: () => tail.wake() };
}
